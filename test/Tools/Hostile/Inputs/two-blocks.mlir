gpu.module @k {
  gpu.func @k() kernel {
    "cf.br"()[^next] : () -> ()
  ^next:
    gpu.return
  }
}
