module muster.example/go

go 1.19
