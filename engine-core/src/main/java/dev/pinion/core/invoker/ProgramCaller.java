package dev.pinion.core.invoker;

import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.ProgramRun;

/**
 * Runner of programs: the seam between the {@link Invoker} and the operating system. Called by the
 * thread of the Invoker's event loop, on which listeners are called, too. It enforces the time
 * limit of a program itself.
 */
@FunctionalInterface
public interface ProgramCaller {
  /** Refuses every program. */
  ProgramCaller NONE =
      (run, callListener) -> {
        callListener.onOutcome(
            CallFailures.of(
                ErrorType.AUTHORIZATION,
                "expected an engine that runs programs, found one that does not"));
        return EndedCall.INSTANCE;
      };

  /**
   * Begins a run.
   *
   * @param callListener receives the outcome once, perhaps before this method returns; never after
   *     {@link ServiceCaller.OngoingCall#cancel}, which kills the program
   */
  ServiceCaller.OngoingCall run(ProgramRun run, ServiceCaller.CallListener callListener);
}
