package dev.pinion.core.invoker;

/**
 * Who performs the calls of an Invoker, on its event loop.
 *
 * @param services caller of services
 * @param programs runner of programs
 */
public record CallTargets(ServiceCaller services, ProgramCaller programs) {
  /** A caller of services, without programs. */
  public static CallTargets of(ServiceCaller services) {
    return new CallTargets(services, ProgramCaller.NONE);
  }
}
