package protobuf_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warrenmq/warren/runtime/protobuf"
)

func TestCodec_TakesPointersToMessagesAlone(t *testing.T) {
	require.NoError(t, protobuf.Codec{}.Takes(reflect.TypeFor[*durationpb.Duration]()))
	for _, other := range []reflect.Type{
		reflect.TypeFor[durationpb.Duration](), reflect.TypeFor[proto.Message](), reflect.TypeFor[*int](), reflect.TypeFor[**durationpb.Duration](), reflect.TypeFor[int](),
	} {
		require.Error(t, protobuf.Codec{}.Takes(other), "%v", other)
	}
}

func TestCodec_ReadsWhatItWrites(t *testing.T) {
	body, err := protobuf.Codec{}.Marshal(durationpb.New(time.Minute))
	require.NoError(t, err)
	var got *durationpb.Duration
	require.NoError(t, protobuf.Codec{}.Unmarshal(body, &got))
	require.Equal(t, time.Minute, got.AsDuration())

	var before *durationpb.Duration
	require.Error(t, protobuf.Codec{}.Unmarshal([]byte("\xff"), &before))
	require.Nil(t, before)
	var message proto.Message
	var number int
	for _, to := range []any{got, &message, &number, number} {
		require.ErrorContains(t, protobuf.Codec{}.Unmarshal(body, to), "isn't a message of protocol buffers", "%T", to)
	}
	_, err = protobuf.Codec{}.Marshal(7)
	require.ErrorContains(t, err, "a int isn't a message of protocol buffers")
}
