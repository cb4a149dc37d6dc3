module github.com/muster-gg/muster/packages/go

go 1.19
