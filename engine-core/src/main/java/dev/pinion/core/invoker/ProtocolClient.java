package dev.pinion.core.invoker;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.ProtocolCall;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * Client of protocols besides plain HTTP: the seam between the {@link Invoker}s of a replica and
 * the libraries that speak them. It has threads of its own and may be called by any thread. Bounds
 * on responses and subscriptions are its own; the time of a call is that of the Invoker.
 */
public interface ProtocolClient extends AutoCloseable {
  /** Refuses every call. */
  ProtocolClient NONE =
      new ProtocolClient() {
        @Override
        public ServiceCaller.OngoingCall call(
            ProtocolCall call, CallingInvoker invoker, ServiceCaller.CallListener callListener) {
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
   * The Invoker that makes a call.
   *
   * @param loop runs tasks on its thread
   * @param services makes calls over HTTP, and adds to others what they need of secrets; on its
   *     thread only
   * @param withSecrets makes of a runner of programs one that adds to runs what they need of
   *     secrets; on its thread only
   */
  record CallingInvoker(
      Executor loop, ServiceCaller services, UnaryOperator<ProgramCaller> withSecrets) {}

  /**
   * Begins a call. On the thread of the Invoker.
   *
   * @param callListener called on that thread: receives the outcome once, perhaps before this
   *     method returns; never after {@link ServiceCaller.OngoingCall#cancel}
   */
  ServiceCaller.OngoingCall call(
      ProtocolCall call, CallingInvoker invoker, ServiceCaller.CallListener callListener);

  /** Ends every call and connection. */
  @Override
  void close();
}
