package dev.pinion.core.invoker;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.ProtocolCall;
import java.util.concurrent.Executor;

/**
 * Client of protocols besides plain HTTP: the seam between the {@link Invoker}s of a replica and the
 * libraries that speak them. It has threads of its own and may be called by any thread. Bounds on
 * responses and subscriptions are its own; the time of a call is that of the Invoker.
 */
public interface ProtocolClient extends AutoCloseable {
  /** Refuses every call. */
  ProtocolClient NONE =
      new ProtocolClient() {
        @Override
        public ServiceCaller.OngoingCall call(
            ProtocolCall call, Executor loop, ServiceCaller.CallListener callListener) {
          callListener.onOutcome(
              CallFailures.of(
                  ErrorType.CONFIGURATION,
                  "expected an engine that calls "
                      + call.protocol().word()
                      + ", found one that does not"));
          return EndedCall.INSTANCE;
        }

        @Override
        public void close() {}
      };

  /**
   * Begins a call.
   *
   * @param loop runs tasks on the thread of the Invoker that makes the call
   * @param callListener called on that thread: receives the outcome once, perhaps before this method
   *     returns; never after {@link ServiceCaller.OngoingCall#cancel}
   */
  ServiceCaller.OngoingCall call(
      ProtocolCall call, Executor loop, ServiceCaller.CallListener callListener);

  /** Ends every call and connection. */
  @Override
  void close();
}
