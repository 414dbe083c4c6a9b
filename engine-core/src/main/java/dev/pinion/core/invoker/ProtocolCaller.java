package dev.pinion.core.invoker;

import dev.pinion.core.model.call.ProtocolCall;

/** Performer of calls over protocols besides plain HTTP, for one Invoker and on its thread. */
@FunctionalInterface
public interface ProtocolCaller {
  /** Begins a call, as {@link ProtocolClient#call} does. */
  ServiceCaller.OngoingCall call(ProtocolCall call, ServiceCaller.CallListener callListener);
}
