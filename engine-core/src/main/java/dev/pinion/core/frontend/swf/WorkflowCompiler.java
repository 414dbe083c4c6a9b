package dev.pinion.core.frontend.swf;

import dev.pinion.core.ir.Block;
import dev.pinion.core.ir.ProcessGraph;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.EngineLimits;
import dev.pinion.core.model.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the text of a definition (Open Workflow DSL 1.0.3, YAML or JSON) to a process graph, or
 * reports all problems with their places.
 *
 * <p>The passes: read the text into a tree; check the header of the document; declare the reusable
 * components; compile the tasks, resolving names within each list; check the unused components;
 * assemble the graph. A pass that finds a problem puts a placeholder in its place and continues.
 * Safe for use by any thread.
 */
public final class WorkflowCompiler {
  private static final List<String> KEYS =
      List.of("document", "input", "use", "do", "timeout", "output", "schedule", "evaluate");

  private final EngineLimits limits;
  private final ChainCatalog chains;
  private final WorkflowReader reader;

  /** A compiler with limits that knows no chains of handlers, and accepts any name. */
  public WorkflowCompiler(EngineLimits limits) {
    this(limits, ChainCatalog.UNKNOWN);
  }

  /**
   * A compiler.
   *
   * @param chains the chains of handlers that definitions may name
   */
  public WorkflowCompiler(EngineLimits limits, ChainCatalog chains) {
    this.limits = limits;
    this.chains = chains;
    this.reader = new WorkflowReader(limits);
  }

  /**
   * Compiles a definition.
   *
   * @param source the text
   * @param mediaType {@code application/yaml} or {@code application/json}
   * @throws IllegalArgumentException when the media type is another one
   */
  public Compilation compile(String source, String mediaType) {
    SourceText text = new SourceText(source);
    Diagnostics diagnostics = new Diagnostics(text, limits.definition().maxProblems());
    try {
      Value document = Value.root(reader.read(source, mediaType));
      Compilation compiled = new Passes(document, limits, chains, diagnostics).run();
      if (diagnostics.isEmpty()) {
        return compiled;
      }
    } catch (SyntaxException e) {
      diagnostics.at(e.offset(), "", e.problem());
    }
    return new Compilation.Refused(diagnostics.sorted());
  }

  /** The passes over one document tree. */
  private static final class Passes {
    private final Value document;
    private final ChainCatalog chains;
    private final Diagnostics diagnostics;
    private final ExpressionFields expressions;
    private final Fields fields;
    private final DataFlow dataFlow;
    private final TaskCompiler tasks;

    Passes(Value document, EngineLimits limits, ChainCatalog chains, Diagnostics diagnostics) {
      this.document = document;
      this.chains = chains;
      this.diagnostics = diagnostics;
      this.fields = Fields.of(document, "a definition", KEYS, diagnostics);
      this.expressions = new ExpressionFields(limits, diagnostics);
      this.dataFlow = new DataFlow(new Schemas(limits, diagnostics), expressions, diagnostics);
      Reusables reusables = Reusables.of(fields.get("use"), diagnostics);
      this.tasks = new TaskCompiler(limits, reusables, expressions, dataFlow, diagnostics);
    }

    Compilation run() {
      Header.Document header = header();
      DataFlow.Step input = dataFlow.input(fields.get("input"), Variables.ofWorkflowInput());
      DataFlow.Step output = dataFlow.output(fields.get("output"), Variables.ofWorkflowOutput());
      Expression<Long> timeout =
          tasks.timeouts().compile(fields.get("timeout"), Variables.ofWorkflowInput());
      Block body = tasks.lists().sequence(fields.required("do"), Variables.NONE);
      tasks.checkUnused();
      return new Compilation.Compiled(
          graph(header, input, output, timeout, body),
          document.payload(),
          header.chains(),
          header.orderingKey(),
          diagnostics.services(),
          diagnostics.origins());
    }

    private Header.Document header() {
      Header header = new Header(diagnostics, chains, expressions);
      header.evaluate(fields.get("evaluate"));
      header.schedule(fields.get("schedule"));
      return header.document(fields.required("document"));
    }

    private ProcessGraph graph(
        Header.Document header,
        DataFlow.Step input,
        DataFlow.Step output,
        @Nullable Expression<Long> timeout,
        Block body) {
      return new ProcessGraph(
          header.key(),
          document.payload(),
          tasks.count(),
          input.schema(),
          input.transformation(),
          body,
          output.transformation(),
          output.schema(),
          timeout,
          header.durability(),
          Fingerprint.of(document.payload()));
    }
  }
}
