package dev.pinion.core.invoker;

import java.util.function.UnaryOperator;

/**
 * Who performs the calls of an Invoker, on its event loop.
 *
 * @param services caller of services
 * @param programs runner of programs
 * @param protocols caller of services that speak other protocols than plain HTTP
 */
public record CallTargets(
    ServiceCaller services, ProgramCaller programs, ProtocolCaller protocols) {
  /** A caller of services, without programs and other protocols. */
  public static CallTargets of(ServiceCaller services) {
    return new CallTargets(
        services,
        ProgramCaller.NONE,
        (call, listener) ->
            ProtocolClient.NONE.call(
                call,
                new ProtocolClient.CallingInvoker(
                    Runnable::run, services, UnaryOperator.identity()),
                listener));
  }
}
