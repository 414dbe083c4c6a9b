package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.call.AuthenticationCompiler;
import dev.pinion.core.language.call.ProgramTaskCompiler;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.DurationFieldCompiler;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ExternalResources;
import java.util.ArrayList;
import java.util.List;

/** Compiles {@code run} (DSL reference, "Run"). */
final class RunTaskCompiler {
  private static final String WORKFLOW = "workflow";

  private final ProgramTaskCompiler programs;
  private final WorkflowRunCompiler workflows;
  private final Diagnostics diagnostics;

  RunTaskCompiler(
      ExpressionFieldCompiler expressions,
      DurationFieldCompiler durations,
      ExternalResources resources,
      AuthenticationCompiler authentications,
      Diagnostics diagnostics) {
    this.programs =
        new ProgramTaskCompiler(expressions, durations, resources, authentications, diagnostics);
    this.workflows = new WorkflowRunCompiler(expressions, diagnostics);
    this.diagnostics = diagnostics;
  }

  Node compile(TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    List<String> processes = new ArrayList<>(ProgramTaskCompiler.PROGRAMS);
    processes.add(WORKFLOW);
    List<String> keys = new ArrayList<>(processes);
    keys.addAll(List.of("await", "return"));
    FieldReader run = FieldReader.of(fieldReader.getPresent("run"), "\"run\"", keys, diagnostics);
    List<String> named =
        run.owner().members().stream()
            .map(DocumentValue::name)
            .filter(processes::contains)
            .toList();
    if (named.size() > 1) {
      diagnostics.key(
          run.getPresent(named.get(1)),
          "expected one of %s in \"run\", found both \"%s\" and \"%s\""
              .formatted(String.join(", ", processes), named.get(0), named.get(1)));
      return Placeholders.task();
    }
    if (named.isEmpty()) {
      missing(run, processes);
      return Placeholders.task();
    }
    if (named.getFirst().equals(WORKFLOW)) {
      return workflows.compile(common, run, visibleVariables);
    }
    return programs.compile(common, run, named.getFirst(), visibleVariables);
  }

  private void missing(FieldReader run, List<String> processes) {
    DocumentValue owner = run.owner();
    if (owner.isObject() && processes.stream().noneMatch(run::isMisspelt)) {
      diagnostics.key(
          owner, "expected one of " + String.join(", ", processes) + " in \"run\", found none");
    }
  }
}
