module github.com/warrenmq/warren/tools/mutate

go 1.26.0
