package inclusion_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion/judge"
	"github.com/warrenmq/warren/internal/jsontree"
)

// A document has a schema, and components that it refers to.
func document(t testing.TB, schema, components string) *inclusion.Schema {
	t.Helper()
	text := fmt.Sprintf(`{"payload":%s,"components":{"schemas":%s}}`, schema, components)
	root, err := jsontree.Parse("", []byte(text))
	require.NoError(t, err, text)
	s, err := inclusion.NewReader(root).Schema(root.Get("payload"))
	require.NoError(t, err, text)
	return s
}

func value(t testing.TB, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err, text)
	return v
}

func text(t testing.TB, v any) string {
	t.Helper()
	written, err := json.Marshal(v)
	require.NoError(t, err)
	return string(written)
}

func TestCompare(t *testing.T) {
	for name, c := range map[string]struct{ a, b, want string }{
		"new optional member":                       {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, "included"},
		"new required member":                       {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["b"]}`, `{}`},
		"member gone, open":                         {`{"type":"object","properties":{"a":{"type":"string"},"b":{}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`, "included"},
		"member gone, closed":                       {`{"type":"object","properties":{"b":{"type":"string"}}}`, `{"type":"object","properties":{},"additionalProperties":false}`, `{"b":"a"}`},
		"member became map":                         {`{"type":"object","properties":{"a":{"type":"string"}}}`, `{"type":"object","additionalProperties":{"type":"string"}}`, "included"},
		"map became another":                        {`{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"other":"a"}`},
		"enum in enum":                              {`{"enum":["a","b"]}`, `{"enum":["b","c","a"]}`, "included"},
		"enum value gone":                           {`{"enum":["a","b"]}`, `{"enum":["a"]}`, `"b"`},
		"enum in type":                              {`{"enum":["a","b"]}`, `{"type":"string","maxLength":1}`, "included"},
		"integer in number":                         {`{"type":"integer"}`, `{"type":"number"}`, "included"},
		"number in integer":                         {`{"type":"number"}`, `{"type":"integer"}`, `1.5`},
		"int32 in int64":                            {`{"type":"integer","format":"int32"}`, `{"type":"integer","format":"int64"}`, "included"},
		"int64 in int32":                            {`{"type":"integer","format":"int64"}`, `{"type":"integer","format":"int32"}`, `2147483648`},
		"bounds of integers":                        {`{"type":"integer","exclusiveMinimum":0}`, `{"type":"integer","minimum":1}`, "included"},
		"bounds of numbers":                         {`{"type":"number","exclusiveMinimum":0}`, `{"type":"number","minimum":1}`, `0.5`},
		"multiple of a multiple":                    {`{"multipleOf":0.02,"type":"number"}`, `{"multipleOf":0.01}`, "included"},
		"no multiple":                               {`{"multipleOf":0.01,"type":"number"}`, `{"multipleOf":0.02}`, `0.01`},
		"no multiple, whole":                        {`{"type":"integer"}`, `{"multipleOf":2}`, `1`},
		"null gone":                                 {`{"type":["string","null"]}`, `{"type":"string"}`, `null`},
		"reference to itself":                       {`{"$ref":"#/components/schemas/Node"}`, `{"$ref":"#/components/schemas/Wide"}`, "included"},
		"reference to itself, wider":                {`{"$ref":"#/components/schemas/Wide"}`, `{"$ref":"#/components/schemas/Node"}`, `{}`},
		"allOf on the left":                         {`{"allOf":[{"type":"string"},{"maxLength":3}]}`, `{"type":"string","maxLength":5}`, "included"},
		"oneOf by a member":                         {`{"oneOf":[{"$ref":"#/components/schemas/Cat"}]}`, `{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}`, "included"},
		"oneOf alternative gone":                    {`{"oneOf":[{"$ref":"#/components/schemas/Cat"},{"$ref":"#/components/schemas/Dog"}]}`, `{"oneOf":[{"$ref":"#/components/schemas/Cat"}]}`, `{"kind":"dog"}`},
		"oneOf that overlaps":                       {`{"type":"integer"}`, `{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `1`},
		"not":                                       {`{"type":"string"}`, `{"not":{"type":"integer"}}`, "included"},
		"not, refuted":                              {`{"type":"integer"}`, `{"not":{"minimum":10}}`, `10`},
		"pattern of one more":                       {`{"type":"string","pattern":"^[a-z]+$"}`, `{"type":"string","pattern":"^[a-z]{2,}$"}`, `"a"`},
		"pattern that may be narrower":              {`{"type":"string","pattern":"^a$"}`, `{"type":"string","pattern":"^[a]$"}`, "undecided"},
		"format of text":                            {`{"type":"string"}`, `{"type":"string","format":"date-time"}`, `"a"`},
		"unknown format":                            {`{"type":"string"}`, `{"type":"string","format":"iban"}`, "undecided"},
		"tuple":                                     {`{"items":[{"type":"string"}],"additionalItems":false,"type":"array"}`, `{"type":"array","items":{"type":"string"}}`, "included"},
		"more items":                                {`{"type":"array","maxItems":3}`, `{"type":"array","maxItems":2}`, `["a","a","a"]`},
		"if and then":                               {`{"type":"object","properties":{"a":{"enum":[1]}}}`, `{"if":{"required":["a"]},"then":{"required":["b"]}}`, `{"a":1}`},
		"dependency":                                {`{"type":"object","properties":{"a":{"enum":[1]},"b":{}},"required":["b"]}`, `{"dependencies":{"a":["b"]}}`, "included"},
		"dependency on more":                        {`{"type":"object","dependencies":{"a":["b","c"]}}`, `{"type":"object","dependencies":{"a":["b"]}}`, "included"},
		"dependency on fewer":                       {`{"type":"object","properties":{"a":{},"b":{}},"dependencies":{"a":["b"]}}`, `{"type":"object","dependencies":{"a":["b","c"]}}`, `{"a":"a","b":"a"}`},
		"dependency of another":                     {`{"type":"object","properties":{"a":{},"c":{}},"dependencies":{"c":["b"]}}`, `{"type":"object","dependencies":{"a":["b"]}}`, `{"a":null}`},
		"condition of the sender":                   {`{"type":["string","integer"],"if":{"type":"string"},"then":{"maxLength":2},"else":{"minimum":1}}`, `{"maxLength":2,"minimum":1}`, "included"},
		"condition without else":                    {`{"type":["string","integer"],"if":{"type":"string"},"then":{"maxLength":2}}`, `{"maxLength":2}`, "included"},
		"either of the sender":                      {`{"type":"integer","anyOf":[{"minimum":5,"maximum":6},{"minimum":1,"maximum":2}]}`, `{"minimum":1,"maximum":6}`, "included"},
		"one of the sender":                         {`{"type":"integer","oneOf":[{"minimum":5,"maximum":6},{"minimum":1,"maximum":2}]}`, `{"minimum":1,"maximum":6}`, "included"},
		"schema that depends":                       {`{"type":"object","dependencies":{"a":{"required":["b"]}},"required":["a"]}`, `{"required":["a"]}`, "included"},
		"fewest items":                              {`{"type":"array","minItems":2}`, `{"minItems":1}`, "included"},
		"too few items":                             {`{"type":"array","minItems":1}`, `{"minItems":2}`, `["a"]`},
		"exactly so many items":                     {`{"type":"array","minItems":2,"maxItems":2}`, `{"minItems":2,"maxItems":2}`, "included"},
		"one item is unique":                        {`{"type":"array","maxItems":1}`, `{"uniqueItems":true}`, "included"},
		"two items may be equal":                    {`{"type":"array","items":{"type":"integer"},"maxItems":2}`, `{"uniqueItems":true}`, `[1,1]`},
		"whole numbers from a half":                 {`{"type":"integer","minimum":0.5}`, `{"minimum":1}`, "included"},
		"whole numbers to a half":                   {`{"type":"integer","maximum":1.5}`, `{"maximum":1}`, "included"},
		"whole numbers below one":                   {`{"type":"integer","exclusiveMaximum":1}`, `{"maximum":0}`, "included"},
		"whole numbers above one bound":             {`{"type":"integer","exclusiveMinimum":0}`, `{"minimum":2}`, `1`},
		"whole numbers below a bound":               {`{"type":"integer","exclusiveMaximum":0}`, `{"maximum":-2}`, `-1`},
		"whole numbers from a quarter":              {`{"type":"integer","minimum":2.25}`, `{"minimum":3.5}`, `3`},
		"lengths of no text":                        {`{"allOf":[{"type":"string","minLength":3},{"maxLength":2}]}`, `{"type":"integer"}`, "included"},
		"short text in either length":               {`{"type":"string","maxLength":2}`, `{"oneOf":[{"type":"string","maxLength":2},{"type":"string","minLength":3}]}`, "included"},
		"number in two":                             {`{"type":"integer"}`, `{"enum":[0,1]}`, `-1`},
		"number in three":                           {`{"type":"integer"}`, `{"enum":[-1,0,1]}`, `1048576`},
		"media type gone":                           {`{"type":"string","contentMediaType":"application/json"}`, `{"type":"string"}`, "included"},
		"media type of any text":                    {`{"type":"string"}`, `{"contentMediaType":"application/json"}`, `"a"`},
		"media type of another text":                {`{"type":"string","contentMediaType":"application/json"}`, `{"maxLength":0}`, `"1"`},
		"same media type":                           {`{"type":"string","contentMediaType":"application/json"}`, `{"contentMediaType":"application/json"}`, "included"},
		"encoding of any text":                      {`{"type":"string"}`, `{"contentEncoding":"base64"}`, `"a"`},
		"encoding of encoded JSON":                  {`{"type":"string","contentEncoding":"base64","contentMediaType":"application/json"}`, `{"contentEncoding":"base64"}`, "included"},
		"JSON that is encoded":                      {`{"type":"string","contentEncoding":"base64","contentMediaType":"application/json"}`, `{"contentMediaType":"application/json"}`, `"e30="`},
		"items that hints name":                     {`{"type":"array","items":{"type":"integer"}}`, `{"items":{"not":{"const":7}}}`, `[7]`},
		"items of one tuple":                        {`{"type":"array","items":[{"type":"integer"},{"type":"string"}],"additionalItems":{"type":"null"}}`, `{"items":[{"type":"number"},{"type":"string"},{"type":"null"}]}`, "included"},
		"items behind a tuple":                      {`{"type":"array","items":[{"type":"integer"}],"additionalItems":{"type":"string"}}`, `{"items":[{},{"type":"integer"}]}`, `[1,"a"]`},
		"items that are none":                       {`{"type":"array","items":false}`, `{"items":{"type":"integer"}}`, "included"},
		"array without a first item":                {`{"type":"array","items":false,"minItems":1}`, `{"type":"string"}`, "included"},
		"same in items":                             {`{"type":"array","items":{"type":"integer"},"contains":{"const":7}}`, `{"contains":{"const":7}}`, "included"},
		"wider in items":                            {`{"type":"array","contains":{"type":"integer","minimum":2}}`, `{"contains":{"minimum":1}}`, "included"},
		"open objects in items":                     {`{"type":"array","contains":{"type":"object"}}`, `{"contains":{"type":"object","maxProperties":0}}`, `[{"key0":"a"}]`},
		"found in items":                            {`{"type":"array","items":{"type":"integer"}}`, `{"not":{"contains":{"const":7}}}`, `[7]`},
		"each item is contained":                    {`{"type":"array","items":{"type":"integer"},"minItems":1}`, `{"contains":{"type":"integer"}}`, "included"},
		"no item is contained":                      {`{"type":"array","items":{"type":"integer"}}`, `{"contains":{"type":"integer"}}`, `[]`},
		"first of a tuple is contained":             {`{"type":"array","items":[{"type":"integer"},{"type":"string"}],"minItems":1}`, `{"contains":{"type":"string"}}`, `[1]`},
		"unique items":                              {`{"type":"array","items":{"type":"integer"},"uniqueItems":true}`, `{"maxItems":1}`, `[1,0]`},
		"items are unique already":                  {`{"type":"array","uniqueItems":true}`, `{"uniqueItems":true}`, "included"},
		"fewest members":                            {`{"type":"object","minProperties":2}`, `{"minProperties":1}`, "included"},
		"too few members":                           {`{"type":"object","minProperties":1}`, `{"minProperties":2}`, `{"key0":"a"}`},
		"too many members":                          {`{"type":"object","maxProperties":4}`, `{"maxProperties":3}`, `{"key0":"a","key1":"a","key2":"a","key3":"a"}`},
		"members that are required":                 {`{"type":"object","required":["a","b"]}`, `{"minProperties":2}`, "included"},
		"members of a closed object":                {`{"type":"object","properties":{"a":{},"b":{}}}`, `{"maxProperties":2}`, "included"},
		"members of a closed item":                  {`{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"minProperties":2},"minItems":1}`, `{"maxItems":0}`, `[{"a":"a","b":"a"}]`},
		"members of an open item":                   {`{"type":"array","items":{"type":"object","minProperties":2},"minItems":1}`, `{"maxItems":0}`, `[{"key0":"a","key1":"a"}]`},
		"member that can't be":                      {`{"type":"object","properties":{"a":false},"required":["a"]}`, `{"type":"string"}`, "included"},
		"member that isn't sent":                    {`{"type":"object","properties":{"a":{}},"required":["b"]}`, `{"type":"string"}`, "included"},
		"names of a pattern":                        {`{"type":"object","properties":{},"patternProperties":{"^a":{"type":"string"}}}`, `{"patternProperties":{"^a":{"type":"string"}},"additionalProperties":false}`, "included"},
		"names of no pattern":                       {`{"type":"object","additionalProperties":{"type":"string"}}`, `{"patternProperties":{"^a":{"type":"string"}},"additionalProperties":false}`, `{"other":"a"}`},
		"pattern of other values":                   {`{"type":"object","patternProperties":{"^b":{"type":"string"}}}`, `{"patternProperties":{"^b":{"type":"integer"}}}`, `{"b":"a"}`},
		"pattern beside others, in all":             {`{"type":"object","patternProperties":{"^a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`, `{"additionalProperties":{"type":["string","integer"]}}`, "included"},
		"pattern beside others, not in all":         {`{"type":"object","patternProperties":{"^a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`, `{"additionalProperties":{"type":"integer"}}`, `{"a":"a"}`},
		"pattern beside others, by another pattern": {`{"type":"object","patternProperties":{"^a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`, `{"patternProperties":{"^b":{"type":["string","integer"]}}}`, "included"},
		"pattern beside others, by the pattern":     {`{"type":"object","patternProperties":{"^a":{"type":"string"}},"additionalProperties":{"type":"integer"}}`, `{"patternProperties":{"^a":{"type":"string"}}}`, "included"},
		"longer names":                              {`{"type":"object","propertyNames":{"maxLength":2}}`, `{"propertyNames":{"maxLength":3}}`, "included"},
		"shorter names":                             {`{"type":"object","propertyNames":{"maxLength":3}}`, `{"propertyNames":{"maxLength":2}}`, `{"1aa":"a"}`},
		"names that are listed":                     {`{"type":"object","properties":{"abc":{}}}`, `{"propertyNames":{"maxLength":3}}`, "included"},
		"name that is too long":                     {`{"type":"object","properties":{"abc":{}}}`, `{"propertyNames":{"maxLength":2}}`, `{"abc":"a"}`},
		"name that no object has":                   {`{"type":"object","properties":{"abc":{}},"propertyNames":{"maxLength":2}}`, `{"propertyNames":{"maxLength":1}}`, "included"},
		"dependency of what isn't sent":             {`{"type":"object","properties":{"b":{}}}`, `{"dependencies":{"a":{"required":["b"]}}}`, "included"},
		"dependency on a schema":                    {`{"type":"object","properties":{"a":{},"b":{}}}`, `{"dependencies":{"a":{"required":["b"]}}}`, `{"a":null}`},
		"bound below an open one":                   {`{"type":"number","maximum":1,"exclusiveMaximum":2}`, `{"maximum":1}`, "included"},
		"bound above an open one":                   {`{"type":"number","minimum":2,"exclusiveMinimum":1}`, `{"minimum":2}`, "included"},
		"bound at an open one":                      {`{"type":"number","minimum":1,"exclusiveMinimum":1,"maximum":2,"exclusiveMaximum":2}`, `{"exclusiveMinimum":1,"exclusiveMaximum":2}`, "included"},
		"closed bounds":                             {`{"type":"number","minimum":1,"maximum":2}`, `{"minimum":1,"maximum":2}`, "included"},
		"bound that becomes open":                   {`{"type":"number","minimum":1}`, `{"exclusiveMinimum":1}`, `1`},
		"upper bound that becomes open":             {`{"type":"number","maximum":1}`, `{"exclusiveMaximum":1}`, `1`},
		"number between crossed bounds":             {`{"type":"number","minimum":2,"maximum":1}`, `{"type":"string"}`, "included"},
		"number between a bound and itself":         {`{"type":"number","minimum":1,"exclusiveMaximum":1}`, `{"type":"string"}`, "included"},
		"number at both bounds":                     {`{"type":"number","minimum":1,"maximum":1}`, `{"type":"string"}`, `1`},
		"whole numbers are multiples of one":        {`{"type":"integer"}`, `{"multipleOf":1}`, "included"},
		"whole multiples are integers":              {`{"type":"number","multipleOf":2}`, `{"type":"integer"}`, "included"},
		"multiples of a half":                       {`{"type":"number","multipleOf":0.5}`, `{"type":"integer"}`, `0.5`},
		"multiple behind a bound":                   {`{"type":"integer","multipleOf":3,"minimum":4}`, `{"maximum":5}`, `6`},
		"multiple before a bound":                   {`{"type":"integer","multipleOf":7,"maximum":-10}`, `{"minimum":-13}`, `-14`},
		"choice of another type":                    {`{"type":"string"}`, `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, "included"},
		"any of two":                                {`{"type":"string","maxLength":2}`, `{"anyOf":[{"type":"integer"},{"maxLength":3}]}`, "included"},
		"same not":                                  {`{"type":"object","not":{"required":["a"]}}`, `{"not":{"required":["a"]}}`, "included"},
		"narrower not":                              {`{"type":"integer","not":{"minimum":5}}`, `{"not":{"minimum":6}}`, "included"},
		"condition that never holds":                {`{"type":"string"}`, `{"if":{"type":"integer"},"then":false}`, "included"},
		"condition that always holds":               {`{"type":"string"}`, `{"if":{"type":"string"},"else":false}`, "included"},
		"condition, refuted by then":                {`{"type":"string"}`, `{"if":{"type":"string"},"then":{"maxLength":3}}`, `"aaaaa"`},
		"condition, refuted by else":                {`{"type":"string"}`, `{"if":{"type":"integer"},"else":{"maxLength":3}}`, `"aaaaa"`},
		"length before a bound":                     {`{"type":"string","minLength":2}`, `{"minLength":3}`, `"aa"`},
		"length behind a bound":                     {`{"type":"string"}`, `{"maxLength":7}`, `"aaaaaaaa"`},
		"text by a pattern of a length":             {`{"type":"string","pattern":"^b+$","minLength":30}`, `{"type":"integer"}`, `"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"`},
		"same pattern":                              {`{"type":"string","pattern":"^a"}`, `{"pattern":"^a"}`, "included"},
		"same format":                               {`{"type":"string","format":"date"}`, `{"format":"date"}`, "included"},
		"format that says nothing":                  {`{"type":"string"}`, `{"format":"password"}`, "included"},
		"format of numbers":                         {`{"type":"string"}`, `{"format":"int32"}`, "included"},
		"format of texts":                           {`{"type":"integer"}`, `{"format":"date"}`, "included"},
		"number of an unknown format":               {`{"type":"integer"}`, `{"format":"iban"}`, "undecided"},
		"one of the booleans":                       {`{"type":"boolean"}`, `{"enum":[true]}`, `false`},
		"booleans and null":                         {`{"type":["boolean","null"]}`, `{"enum":[null,true,false]}`, "included"},
		"constant":                                  {`{"const":"a"}`, `{"enum":["b","a"]}`, "included"},
		"enum and constant":                         {`{"enum":["a","b"],"const":"b"}`, `{"const":"b"}`, "included"},
		"constant that is not in the enum":          {`{"enum":["a","b"],"const":"c"}`, `{"type":"integer"}`, "included"},
		"enum of several types":                     {`{"enum":["a",1,null,[1],{"a":1.0}]}`, `{"enum":[{"a":1},[1.0],null,1.0,"a"]}`, "included"},
		"object in an enum":                         {`{"enum":[{"a":1},{"a":1,"b":2}]}`, `{"enum":[{"a":1},{"a":1,"c":2},{"a":1,"b":3}]}`, `{"a":1,"b":2}`},
		"other one of the booleans":                 {`{"type":"boolean"}`, `{"enum":[false]}`, `true`},
		"array in an array":                         {`{"type":"array","items":{"type":"array","items":{"type":"string"},"minItems":1},"minItems":1}`, `{"maxItems":0}`, `[["a"]]`},
		"more items than are made":                  {`{"type":"array","items":{"type":"array","minItems":1000},"minItems":1}`, `{"maxItems":0}`, "undecided"},
		"member that can't be, far within":          {`{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"array","items":false,"minItems":1}},"required":["a"]}},"required":["a"]}},"required":["a"]}},"required":["a"]}`, `{"type":"string"}`, "included"},
		"member in itself for ever":                 {`{"$ref":"#/components/schemas/Endless"}`, `{"type":"string"}`, "undecided"},
		"closed bound beside an open one":           {`{"allOf":[{"type":"number","exclusiveMinimum":1,"exclusiveMaximum":2},{"minimum":1,"maximum":2}]}`, `{"exclusiveMinimum":1,"exclusiveMaximum":2}`, "included"},
		"whole numbers from a bound":                {`{"type":"integer","minimum":1}`, `{"exclusiveMinimum":1}`, `1`},
		"whole numbers to a bound":                  {`{"type":"integer","maximum":1}`, `{"exclusiveMaximum":1}`, `1`},
		"whole numbers to less than a half":         {`{"type":"integer","maximum":1.5}`, `{"maximum":0}`, `1`},
		"whole numbers below a half":                {`{"type":"integer","exclusiveMaximum":1.5}`, `{"maximum":0}`, `1`},
		"whole numbers above a half":                {`{"type":"integer","exclusiveMinimum":0.5}`, `{"minimum":2}`, `1`},
		"texts of one length":                       {`{"type":"string","minLength":2,"maxLength":2}`, `{"type":"integer"}`, `"aa"`},
		"texts that are longer":                     {`{"type":"string","minLength":3}`, `{"minLength":2}`, "included"},
		"arrays of no length":                       {`{"type":"array","minItems":2,"maxItems":1}`, `{"type":"string"}`, "included"},
		"objects of no size":                        {`{"type":"object","minProperties":2,"maxProperties":1}`, `{"type":"string"}`, "included"},
		"smaller objects":                           {`{"type":"object","maxProperties":2}`, `{"maxProperties":3}`, "included"},
		"names that are required twice":             {`{"allOf":[{"type":"object","required":["a","b"]},{"required":["a"]}]}`, `{"minProperties":3}`, `{"a":"a","b":"a"}`},
		"names that are listed twice":               {`{"allOf":[{"type":"object","properties":{"a":{},"b":{}}},{"properties":{"a":{}}}]}`, `{"maxProperties":2}`, "included"},
		"names of a dependency":                     {`{"type":"object","properties":{"a":{}},"dependencies":{"a":{"properties":{"b":{"type":"string"}}}}}`, `{"properties":{"b":{"type":"integer"}}}`, `{"a":"a","b":"a"}`},
		"names by a pattern alone":                  {`{"type":"object","properties":{},"patternProperties":{"^a":{"type":"string"}}}`, `{"maxProperties":0}`, `{"a":"a"}`},
		"names by a schema of all":                  {`{"type":"object","properties":{},"additionalProperties":{"type":"string"}}`, `{"maxProperties":0}`, `{"key0":"a"}`},
		"names by a schema of none":                 {`{"type":"object","properties":{"a":{}},"additionalProperties":false}`, `{"maxProperties":1}`, "included"},
		"no items":                                  {`{"type":"array","items":false}`, `{"type":"string"}`, `[]`},
		"first of a tuple that can't be":            {`{"type":"array","items":[false],"minItems":1}`, `{"type":"string"}`, "included"},
		"item that can't be, far within":            {`{"type":"array","items":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":false},"required":["a"]}},"required":["a"]}},"required":["a"]}},"required":["a"]},"minItems":1}`, `{"type":"string"}`, "included"},
		"items that can't be, far within":           {`{"type":"array","items":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":false},"required":["a"]}},"required":["a"]}},"required":["a"]}},"required":["a"]}},"required":["a"]}}`, `{"items":{"type":"string"}}`, "included"},
		"member that may be left out, far within":   {`{"type":"object","properties":{"m":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":false},"required":["a"]}},"required":["a"]}},"required":["a"]}},"required":["a"]}},"required":["a"]}}}`, `{"properties":{"m":{"type":"string"}}}`, "included"},
		"members that can't be, far within":         {`{"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":{"type":"object","properties":{"a":false},"required":["a"]}},"required":["a"]}},"required":["a"]}},"required":["a"]}},"required":["a"]}}`, `{"additionalProperties":{"type":"string"}}`, "included"},
		"not what isn't sent":                       {`{"type":"object","properties":{"a":{}}}`, `{"not":{"required":["b"],"properties":{"b":{}}}}`, "included"},
		"not for one of two types":                  {`{"type":["string","integer"],"maxLength":2}`, `{"anyOf":[{"type":"integer"},{"not":{"minLength":3}}]}`, "included"},
		"none of a choice":                          {`{"type":"integer"}`, `{"oneOf":[{"type":"string"},{"minimum":0}]}`, `-1`},
		"shorter tuple":                             {`{"type":"array","items":[{"type":"integer"},{"type":"string"}],"minItems":2}`, `{"items":{"type":"integer"}}`, `[1,"a"]`},
		"items of an empty array":                   {`{"type":"array","items":{"type":"string"},"maxItems":0}`, `{"items":{"type":"integer"}}`, "included"},
		"items before the last one":                 {`{"type":"array","items":[{"type":"integer"},{"type":"string"}],"maxItems":1}`, `{"items":{"type":"integer"}}`, "included"},
		"items to the last one":                     {`{"type":"array","items":[{"type":"integer"},{"type":"string"}],"maxItems":2}`, `{"items":{"type":"integer"}}`, `[1,"a"]`},
		"contained by a reference":                  {`{"type":"array","contains":{"$ref":"#/components/schemas/Count"}}`, `{"contains":{"minimum":0}}`, "included"},
		"contained objects are open":                {`{"type":"array","contains":{"type":"object","properties":{"x":{"type":"string"}}},"items":{"type":"object","additionalProperties":{"type":"string"}}}`, `{"contains":{"type":"object","maxProperties":1}}`, `[{"key0":"a","key1":"a"}]`},
		"contained arrays of objects":               {`{"type":"array","contains":{"type":"array","items":{"type":"object","properties":{"x":{"type":"string"}}},"minItems":1}}`, `{"contains":{"type":"array","items":{"maxProperties":1}}}`, "undecided"},
		"contained values of any type":              {`{"type":"array","contains":{"properties":{"x":{"type":"string"}}}}`, `{"contains":{"maxProperties":1}}`, `[{"key0":"a","key1":"a"}]`},
		"hint of a reference":                       {`{"type":"integer"}`, `{"not":{"$ref":"#/components/schemas/Seven"}}`, `7`},
		"hint of a dependency":                      {`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"dependencies":{"rare":{"required":["b"]}}}`, `{"rare":1}`},
		"hint of a multiple":                        {`{"type":"integer","minimum":1}`, `{"not":{"multipleOf":7919}}`, `7919`},
		"hint of a tuple":                           {`{"type":"array","items":{"type":"integer"}}`, `{"items":[{},{},{},{},{},{"minimum":9}]}`, `[1,1,1,1,1,1]`},
		"hint of a length":                          {`{"type":"array","items":{"type":"integer"}}`, `{"maxItems":20}`, `[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]`},
		"hint of the least length":                  {`{"type":"array","items":{"type":"integer"}}`, `{"not":{"minItems":20}}`, `[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]`},
		"least length that is lacked":               {`{"type":"array","items":{"type":"integer"},"minItems":19}`, `{"minItems":20}`, `[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]`},
		"item behind a tuple of a hint":             {`{"type":"array","items":{"type":"integer"}}`, `{"items":[{},{},{},{},{}],"additionalItems":false}`, `[1,1,1,1,1,1]`},
		"all members but one":                       {`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}}`, `{"if":{"required":["b","c"]},"then":{"required":["a"]}}`, `{"b":"a","c":"a"}`},
		"one member beside all others":              {`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"}}}`, `{"if":{"required":["b","c"]},"then":{"properties":{"a":{"maxLength":3}}}}`, `{"a":"aaaaa","b":"a","c":"a"}`},
		"member that hints name":                    {`{"type":"object","properties":{"a":{"type":"integer"}}}`, `{"properties":{"a":{"not":{"const":7}}}}`, `{"a":7}`},
		"member that hints of a dependency name":    {`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}}}`, `{"dependencies":{"a":{"properties":{"b":{"not":{"const":7}}}}}}`, `{"a":1,"b":7}`},
		"unique items of an item":                   {`{"type":"array","items":{"type":"array","items":{"type":"integer"},"uniqueItems":true,"minItems":3},"minItems":1}`, `{"maxItems":0}`, `[[1,0,-1]]`},
		"required member of a member":               {`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"null"},"c":{"type":"string"}},"required":["b"]}},"required":["a"]}`, `{"maxProperties":0}`, `{"a":{"b":null}}`},
		"more members than a bound":                 {`{"type":"object"}`, `{"maxProperties":6}`, `{"key0":"a","key1":"a","key2":"a","key3":"a","key4":"a","key5":"a","key6":"a"}`},
		"fewer members than a bound":                {`{"type":"object","minProperties":5}`, `{"minProperties":6}`, `{"key0":"a","key1":"a","key2":"a","key3":"a","key4":"a"}`},
		"as many members as a bound":                {`{"type":"object"}`, `{"not":{"minProperties":6}}`, `{"key0":"a","key1":"a","key2":"a","key3":"a","key4":"a","key5":"a"}`},
		"as many letters as a bound":                {`{"type":"string"}`, `{"not":{"minLength":12}}`, `"aaaaaaaaaaaa"`},
		"multiple of a part":                        {`{"type":"number","multipleOf":0.7,"minimum":100}`, `{"type":"string"}`, `100.1`},
		"long text of a pattern with a bound":       {`{"type":"string","pattern":"^a{1,2}b+$","minLength":30}`, `{"type":"integer"}`, `"aabbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"`},
		"long text of a pattern with an option":     {`{"type":"string","pattern":"^a?b+$","minLength":30}`, `{"type":"integer"}`, `"abbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"`},
		"other members of another type":             {`{"type":"object","properties":{"a":{}},"additionalProperties":{"type":"string"}}`, `{"properties":{"a":{}},"additionalProperties":{"type":"integer"}}`, `{"other":"a"}`},
		"long array that may be empty":              {`{"type":"array","items":{"type":"integer"},"maxItems":1000}`, `{"maxItems":3}`, `[1,1,1,1]`},
		"long array that may not be empty":          {`{"type":"array","items":{"type":"integer"},"minItems":4,"maxItems":1000}`, `{"type":"object"}`, `[1,1,1,1]`},
		"false":                                     {`{"not":{}}`, `{"type":"string"}`, "included"},
	} {
		t.Run(name, func(t *testing.T) {
			components := `{
				"Count":{"type":"integer","minimum":1},
				"Seven":{"const":7},
				"Endless":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/Endless"}},"required":["next"]},
				"Node":{"type":"object","properties":{"value":{"type":"integer"},"next":{"$ref":"#/components/schemas/Node"}},"required":["value"]},
				"Wide":{"type":"object","properties":{"value":{"type":"integer"},"next":{"$ref":"#/components/schemas/Wide"}}},
				"Cat":{"type":"object","properties":{"kind":{"enum":["cat"]}},"required":["kind"]},
				"Dog":{"type":"object","properties":{"kind":{"enum":["dog"]},"breed":{"type":"string"}},"required":["kind"]}}`
			a, b := document(t, c.a, components), document(t, c.b, components)
			relation := inclusion.NewProver().Compare(a, b)
			got := relation.Answer.String()
			if relation.Answer == inclusion.Excluded {
				got = text(t, relation.Witness)
				require.NoError(t, judge.Compile(t, c.a, components).Validate(value(t, got)))
				require.Error(t, judge.Compile(t, c.b, components).Validate(value(t, got)))
			}
			require.Equal(t, c.want, got)
		})
	}
}

// A schemas makes random schemas, small ones whose keywords meet.
type schemas struct{ *rand.Rand }

func (r schemas) pick(of ...string) string { return of[r.IntN(len(of))] }

func (r schemas) schema(depth int) string {
	var words []string
	add := func(format string, args ...any) { words = append(words, fmt.Sprintf(format, args...)) }
	switch r.IntN(9) {
	case 0:
		add(`"type":"integer"`)
	case 1:
		add(`"type":"string"`)
	case 2:
		add(`"type":["string","null"]`)
	case 3:
		add(`"type":"number"`)
	case 4, 5:
		add(`"type":"object"`)
	case 6:
		add(`"type":"array"`)
	}
	for range r.IntN(3) {
		r.keyword(add, depth)
	}
	seen := make(map[string]bool)
	var kept []string
	for _, word := range words {
		name, _, _ := strings.Cut(word, ":")
		if !seen[name] {
			seen[name] = true
			kept = append(kept, word)
		}
	}
	return "{" + strings.Join(kept, ",") + "}"
}

func (r schemas) keyword(add func(format string, args ...any), depth int) {
	small := func() int { return r.IntN(4) }
	switch r.IntN(12) {
	case 0:
		add(`"%s":%d`, r.pick("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), small()-1)
	case 1:
		add(`"%s":%d`, r.pick("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), small())
	case 2:
		add(`"enum":[%s,%s]`, r.pick(`"a"`, `1`, `null`, `{}`), r.pick(`"b"`, `2`, `[]`, `{"a":1}`))
	case 3:
		add(`"pattern":"%s"`, r.pick("^a", "b$", "^[ab]*$"))
	case 4:
		add(`"multipleOf":%s`, r.pick("1", "2", "0.5"))
	case 5:
		add(`"required":["%s"]`, r.pick("a", "b"))
	case 6:
		add(`"uniqueItems":true`)
	case 7:
		add(`"format":"%s"`, r.pick("date", "int32", "uuid"))
	default:
		if depth > 0 {
			r.nested(add, depth-1)
		}
	}
}

func (r schemas) nested(add func(format string, args ...any), depth int) {
	switch r.IntN(10) {
	case 0, 1, 2:
		add(`"properties":{"a":%s,"b":%s}`, r.schema(depth), r.schema(depth))
	case 3:
		add(`"additionalProperties":%s`, r.pick("true", "false", r.schema(depth)))
	case 4:
		add(`"items":%s`, r.schema(depth))
	case 5:
		add(`"%s":[%s,%s]`, r.pick("allOf", "anyOf", "oneOf"), r.schema(depth), r.schema(depth))
	case 6:
		add(`"not":%s`, r.schema(depth))
	case 7:
		add(`"if":%s,"then":%s`, r.schema(depth), r.schema(depth))
	case 8:
		add(`"%s":%s`, r.pick("contains", "propertyNames"), r.schema(depth))
	case 9:
		add(`"patternProperties":{"%s":%s}`, r.pick("^a", "b"), r.schema(depth))
	}
	if r.IntN(6) == 0 {
		add(`"dependencies":{"a":%s}`, r.pick(`["b"]`, r.schema(depth)))
	}
}

func (r schemas) value(depth int) any {
	switch n := r.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) == 0
	case n <= 3:
		return json.Number(r.pick("0", "1", "2", "-1", "0.5", "3", "4", "1.25", "3000000000"))
	case n <= 5 || depth == 0:
		return r.pick("", "a", "b", "ab", "ba", "abab", "2026-01-02", "c")
	case n == 6:
		array := []any{}
		for range r.IntN(4) {
			array = append(array, r.value(depth-1))
		}
		return array
	}
	object := map[string]any{}
	for range r.IntN(4) {
		object[r.pick("a", "b", "ab", "c")] = r.value(depth - 1)
	}
	return object
}

// The two schemas of a pair are often near to each other.
func (r schemas) pair() (a, b string) {
	a = r.schema(2)
	if r.IntN(2) == 0 {
		return a, r.schema(2)
	}
	return a, strings.Replace(a, r.pick(`"a"`, `1`, `2`, `"string"`, `"integer"`, `"allOf"`, `"oneOf"`), r.pick(`"b"`, `3`, `0`, `"number"`, `"anyOf"`), 1)
}

// isSchema leaves out what a replacement has made none.
func isSchema(text string) bool {
	root, err := jsontree.Parse("", []byte(text))
	if err != nil {
		return false
	}
	if _, err := inclusion.NewReader(root).Schema(root); err != nil {
		return false
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return false
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	if c.AddResource("s.json", value) != nil {
		return false
	}
	_, err = c.Compile("s.json")
	return err == nil
}

func TestAccepts_AgreesWithValidator(t *testing.T) {
	r := schemas{rand.New(rand.NewPCG(3, 5))}
	for range 3000 {
		s := r.schema(3)
		if !isSchema(s) {
			continue
		}
		own, validator := document(t, s, "{}"), judge.Compile(t, s, "{}")
		p := inclusion.NewProver()
		for range 30 {
			v := r.value(3)
			require.Equal(t, validator.Validate(v) == nil, p.Accepts(own, v), "%s of %s", text(t, v), s)
		}
	}
}

// What is proved has no counterexample among random values, and what is refuted has
// one that the validator confirms.
func checkPair(t testing.TB, r schemas, a, b string) inclusion.Relation {
	t.Helper()
	p := inclusion.NewProver()
	own, other := document(t, a, "{}"), document(t, b, "{}")
	judgeA, judgeB := judge.Compile(t, a, "{}"), judge.Compile(t, b, "{}")
	relation := p.Compare(own, other)
	switch relation.Answer {
	case inclusion.Excluded:
		require.True(t, p.Sends(own, relation.Witness))
		require.NoError(t, judgeA.Validate(relation.Witness), "%s isn't sent by %s", text(t, relation.Witness), a)
		require.Error(t, judgeB.Validate(relation.Witness), "%s is accepted by %s", text(t, relation.Witness), b)
	case inclusion.Included:
		for range 200 {
			v := r.value(3)
			if judgeA.Validate(v) == nil && p.Sends(own, v) {
				require.NoError(t, judgeB.Validate(v), "%s\nis sent by     %s\nnot accepted by %s", text(t, v), a, b)
			}
		}
	}
	return relation
}

func TestCompare_HoldsForRandomPairs(t *testing.T) {
	r := schemas{rand.New(rand.NewPCG(7, 11))}
	answers, letters := make(map[inclusion.Answer]int), 0
	for range 1500 {
		a, b := r.pair()
		if isSchema(a) && isSchema(b) {
			relation := checkPair(t, r, a, b)
			answers[relation.Answer]++
			if relation.Answer == inclusion.Excluded {
				letters += len(text(t, relation.Witness))
			}
		}
	}
	// What leaves more of them undecided understands less than it did.
	require.Equal(t, map[inclusion.Answer]int{inclusion.Included: 885, inclusion.Excluded: 548, inclusion.Undecided: 1}, answers)
	// What makes the examples longer shows people what they need less.
	require.Equal(t, 1829, letters)
}

func FuzzCompare(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := schemas{rand.New(rand.NewPCG(seed, 1))}
		if a, b := r.pair(); isSchema(a) && isSchema(b) {
			checkPair(t, r, a, b)
		}
	})
}

// What can't be told is neither accepted nor refused.
func TestAccepts_IsUnsure(t *testing.T) {
	for name, c := range map[string]struct {
		schema string
		value  any
	}{
		"of itself":                  {`{"allOf":[{"$ref":"#/payload"}]}`, nil},
		"of what isn't itself":       {`{"not":{"$ref":"#/payload"}}`, nil},
		"of a number with a tail":    {`{"type":"number"}`, json.Number("1e1001")},
		"of a number with a depth":   {`{"type":"number"}`, json.Number("1e-1001")},
		"of a number of many digits": {`{"type":"number"}`, json.Number(strings.Repeat("1", 1001))},
		"of no number":               {`{"type":"number"}`, json.Number("1x")},
	} {
		p, s := inclusion.NewProver(), document(t, c.schema, "{}")
		require.False(t, p.Accepts(s, c.value), name)
		require.False(t, p.Refuses(s, c.value), name)
	}
	p, s := inclusion.NewProver(), document(t, `{"type":"number"}`, "{}")
	for _, number := range []string{"1e1000", "1e-1000", strings.Repeat("1", 1000)} {
		require.True(t, p.Accepts(s, json.Number(number)), number)
	}
}

// manyCases returns a schema that has 2 to the power of n cases.
func manyCases(n int, choice string) string {
	return `{"allOf":[` + strings.TrimSuffix(strings.Repeat(choice+",", n), ",") + `]}`
}

// Nothing is known of what has more cases than are told apart.
func TestCompare_OfManyCases(t *testing.T) {
	choices := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`{"const":%d}`, i))
		}
		return `{"anyOf":[` + strings.Join(all, ",") + `]}`
	}
	const either = `{"anyOf":[{"minimum":1},{"maximum":9}]}`
	for name, c := range map[string]struct{ a, b, want string }{
		"just few enough":        {choices(200), `{"type":"integer"}`, "included"},
		"just too many":          {choices(201), `{"type":"integer"}`, "undecided"},
		"few enough conditions":  {`{"if":{"minimum":5},"then":{"type":"integer"},` + choices(100)[1:], `{"type":"integer"}`, "included"},
		"too many conditions":    {`{"if":{"minimum":5},"then":{"type":"integer"},` + choices(101)[1:], `{"type":"integer"}`, "undecided"},
		"of choices":             {manyCases(8, either), `false`, "undecided"},
		"of conditions":          {manyCases(8, `{"if":{"minimum":1},"then":{"maximum":9}}`), `false`, "undecided"},
		"of other conditions":    {manyCases(8, `{"if":{"minimum":1},"else":{"maximum":9}}`), `false`, "undecided"},
		"of schemas of a member": {`{"type":"object","required":["a"],` + manyCases(8, `{"properties":{"a":`+either+`}}`)[1:], `{"properties":{"a":false}}`, "undecided"},
		"of what is excluded":    {`{"type":"integer"}`, `{"not":` + manyCases(8, either) + `}`, "excluded"},
	} {
		p := inclusion.NewProver()
		require.Equal(t, c.want, p.Compare(document(t, c.a, "{}"), document(t, c.b, "{}")).Answer.String(), name)
	}
	require.False(t, inclusion.NewProver().Sends(document(t, manyCases(8, either), "{}"), json.Number("5")))
}

func TestAccepts_AsManyPartsAsThereAre(t *testing.T) {
	p, s := inclusion.NewProver(), document(t, `{"items":{"type":"integer"}}`, "{}")
	values := make([]any, 5000)
	for i := range values {
		values[i] = json.Number("1")
	}
	require.True(t, p.Accepts(s, values))
}

func TestAccepts_BytesOfOpenAPI(t *testing.T) {
	p, s := inclusion.NewProver(), document(t, `{"format":"byte"}`, "{}")
	require.True(t, p.Accepts(s, "YQ=="))
	require.True(t, p.Refuses(s, "YQ"))
}

func TestSends_OnlyWhatIsListed(t *testing.T) {
	for schema, values := range map[string]struct{ sent, unsent string }{
		`{"properties":{"a":{}}}`:                                           {`{"a":1}`, `{"a":1,"b":1}`},
		`{"type":"array","items":{"properties":{"a":{}}}}`:                  {`[{"a":1}]`, `[{"a":1},{"b":1}]`},
		`{"properties":{"a":{"properties":{}}}}`:                            {`{"a":{}}`, `{"a":{"b":1}}`},
		`{"properties":{"a":{}},"additionalProperties":{"type":"integer"}}`: {`{"a":"a","b":1}`, `{"b":"b"}`},
		`{"properties":{},"patternProperties":{"^a":{}}}`:                   {`{"ab":1}`, `{"ba":1}`},
		`{"anyOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`:       {`{"b":1}`, `{"a":1,"b":1}`},
		`{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`:       {`{"a":1,"b":1}`, `{"c":1}`},
		`{"type":"object"}`: {`{"a":1}`, `1`},
		`{"properties":{"k":{"type":"integer"}},"if":{"required":["k"]},"then":{"properties":{"b":{}}}}`: {`{"k":1,"b":1}`, `{"b":1}`},
	} {
		p, s := inclusion.NewProver(), document(t, schema, "{}")
		require.True(t, p.Sends(s, value(t, values.sent)), schema)
		require.False(t, p.Sends(s, value(t, values.unsent)), schema)
	}
}
