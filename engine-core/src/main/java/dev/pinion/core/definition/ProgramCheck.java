package dev.pinion.core.definition;

import dev.pinion.core.language.field.Findings.ProgramUse;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.call.Program;
import java.util.List;
import java.util.Set;

/**
 * Finds the programs of a definition that the configuration does not allow. Runs when a definition
 * is deployed; the tasks of one that was deployed before fail.
 */
final class ProgramCheck {
  private final Set<Program.Kind> allowed;

  ProgramCheck(Set<Program.Kind> allowed) {
    this.allowed = Set.copyOf(allowed);
  }

  /** The uses of programs that may not run. */
  List<Diagnostic> refused(List<ProgramUse> uses) {
    return uses.stream()
        .filter(use -> !allowed.contains(use.kind()))
        .map(this::diagnostic)
        .toList();
  }

  private Diagnostic diagnostic(ProgramUse use) {
    String word = use.kind().word();
    String found =
        allowed.isEmpty()
            ? "none"
            : String.join(", ", allowed.stream().map(Program.Kind::word).sorted().toList());
    return new Diagnostic(
        use.pointer(),
        use.line(),
        use.column(),
        "expected an engine that allows "
            + word
            + " programs (setting programs), found "
            + found
            + " allowed",
        null);
  }
}
