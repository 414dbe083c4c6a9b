package dev.pinion.core.invoker;

/** A call whose outcome has been reported. */
enum EndedCall implements ServiceCaller.OngoingCall {
  INSTANCE;

  @Override
  public void cancel() {}

  @Override
  public String waitsFor() {
    return "nothing";
  }
}
