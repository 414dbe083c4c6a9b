package dev.pinion.bootstrap.client.call;

import dev.pinion.core.invoker.http.ClientTls;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.stage.ThreadSetup;
import java.util.Set;

/**
 * What the clients of an engine share.
 *
 * @param tls trusted certificates
 * @param programs kinds of programs that tasks may run
 * @param threads prepares their threads
 */
public record ProtocolSettings(
    EngineLimits limits,
    ClientTls tls,
    Set<Program.Kind> programs,
    ThreadSetup threads,
    Clock clock) {
  /** Copies the kinds. */
  public ProtocolSettings {
    programs = Set.copyOf(programs);
  }
}
