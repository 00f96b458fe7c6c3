package protobuf_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/protobuf"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

var toQueue = runtime.Endpoint{To: runtime.Address{RoutingKey: "q"}, Codec: protobuf.Codec{}}

func serve(t *testing.T, handler runtime.Handler) *runtimetest.Service {
	t.Helper()
	router := runtime.NewRouter()
	require.NoError(t, router.Register(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Codec: protobuf.Codec{}, Handler: handler}))
	return runtimetest.Start(t, router)
}

func TestCodec_CarriesMessagesAndReplies(t *testing.T) {
	service := serve(t, runtime.Respond(func(ctx context.Context, d *durationpb.Duration) (*wrapperspb.StringValue, error) {
		return wrapperspb.String(runtime.DeliveryFrom(ctx).ContentType + " " + d.AsDuration().String()), nil
	}))
	caller := runtime.NewCaller[*durationpb.Duration, *wrapperspb.StringValue](service, toQueue)
	ctx, cancel := context.WithTimeout(t.Context(), 1<<35)
	defer cancel()
	reply, err := caller.Call(ctx, &durationpb.Duration{Seconds: 90})
	require.NoError(t, err)
	require.Equal(t, "application/x-protobuf 1m30s", reply.Value)
}

func TestCodec_RefusesOtherContentTypesAndBodies(t *testing.T) {
	var got []int64
	service := serve(t, runtime.Consume(func(_ context.Context, d *durationpb.Duration) error {
		got = append(got, d.Seconds)
		return nil
	}))
	body, err := proto.Marshal(&durationpb.Duration{Seconds: 7})
	require.NoError(t, err)
	for contentType, reads := range map[string]bool{
		"": true, "application/x-protobuf": true, "application/protobuf": true, "Application/X-Protobuf; messageType=x": true,
		"application/json": false, "text/plain": false,
	} {
		service.SendMessage("r", runtime.Message{Body: body, ContentType: contentType})
		settled := service.Settled()[0]
		if reads {
			require.NoError(t, settled.Err, contentType)
			continue
		}
		require.Equal(t, runtime.DeadLetter, settled.End)
		require.ErrorIs(t, settled.Err, runtime.ErrContentType)
		require.ErrorContains(t, settled.Err, `it is "`+contentType+`", and application/x-protobuf or`)
	}
	require.Equal(t, []int64{7, 7, 7, 7}, got)
	service.SendMessage("r", runtime.Message{Body: []byte{0xff}})
	service.Settled()
	dead := service.Queue("q.dead").Messages()
	require.Len(t, dead, 3)
	why, _ := runtime.FailureOf(dead[2])
	require.Equal(t, runtime.ReasonUndecodable, why.Reason)
}

func TestRegister_RefusesATypeThatIsNoMessage(t *testing.T) {
	for _, handler := range []runtime.Handler{
		runtime.Consume(func(context.Context, string) error { return nil }),
		runtime.Respond(func(context.Context, *durationpb.Duration) (int, error) { return 0, nil }),
	} {
		err := runtime.NewRouter().Register(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Codec: protobuf.Codec{}, Handler: handler})
		var refused *runtime.RouteError
		require.ErrorAs(t, err, &refused)
		require.Equal(t, "Codec", refused.Field)
		require.Contains(t, refused.Fault, "pointer to a message")
	}
	require.NoError(t, runtime.NewRouter().Register(runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"}, Codec: protobuf.Codec{}, Handler: runtime.Consume(func(context.Context, []byte) error { return nil }),
	}), "bytes are the body as it comes")
}
