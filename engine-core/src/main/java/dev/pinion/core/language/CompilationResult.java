package dev.pinion.core.language;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.field.Findings.ProgramUse;
import dev.pinion.core.language.field.Findings.SecretUse;
import dev.pinion.core.language.field.Findings.ServiceUse;
import dev.pinion.core.model.ChainReferences;
import dev.pinion.core.model.Diagnostic;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.PinnedDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of compiling the text of a definition. */
public sealed interface CompilationResult {
  /**
   * A valid definition.
   *
   * @param graph the process graph
   * @param document the document as JSON, members in document order
   * @param chains the chains of handlers that it names
   * @param orderingKey makes the ordering key of a start from its input, or null
   * @param services the abstract services that it names, by position
   * @param programs the programs that it runs on this machine, by position
   * @param secrets the secrets that its calls use, by position
   * @param schedule its schedule, or null
   * @param origins scheme and authority of calls that no input can change, each once
   * @param warnings what is allowed and hardly meant, by position
   * @param documents the documents to which it refers, in the order of their first use
   */
  record Compiled(
      ProcessGraph graph,
      Payload document,
      ChainReferences chains,
      @Nullable Expression<Payload> orderingKey,
      List<ServiceUse> services,
      List<ProgramUse> programs,
      List<SecretUse> secrets,
      @Nullable ScheduleUse schedule,
      List<String> origins,
      List<Diagnostic> warnings,
      List<PinnedDocument> documents)
      implements CompilationResult {
    /** Copies the lists. */
    public Compiled {
      services = List.copyOf(services);
      programs = List.copyOf(programs);
      secrets = List.copyOf(secrets);
      origins = List.copyOf(origins);
      warnings = List.copyOf(warnings);
      documents = List.copyOf(documents);
    }
  }

  /**
   * The schedule of the document.
   *
   * @param pointer JSON pointer of its rule
   * @param line its line, from 1
   * @param column its column, from 1
   * @param leastMillis the least time from one run to the next
   */
  record ScheduleUse(String pointer, int line, int column, long leastMillis) {}

  /**
   * A refused definition.
   *
   * @param problems every problem found, by position; at least one
   * @param warnings what is allowed and hardly meant, by position
   */
  record Rejected(List<Diagnostic> problems, List<Diagnostic> warnings)
      implements CompilationResult {
    /** Copies the lists. */
    public Rejected {
      problems = List.copyOf(problems);
      warnings = List.copyOf(warnings);
    }
  }
}
