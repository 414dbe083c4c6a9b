package dev.pinion.core.language;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.document.DocumentSyntaxException;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.SourceText;
import dev.pinion.core.document.SourceText.Position;
import dev.pinion.core.graph.Block;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.CompilationResult.ScheduleUse;
import dev.pinion.core.language.event.ScheduleCompiler;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Findings;
import dev.pinion.core.language.field.KnownMembers;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.DefinitionFingerprint;
import dev.pinion.core.language.reference.DocumentSource;
import dev.pinion.core.language.reference.DocumentSources;
import dev.pinion.core.language.reference.ExternalDocuments;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.language.reference.ReusableComponents;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.ChainCatalog;
import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Expression;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the text of a definition (Open Workflow DSL 1.0.3, YAML or JSON) to a process graph, or
 * reports all problems with their places.
 *
 * <p>The passes: read the text into a tree; check the header of the document and the schedule;
 * declare the reusable components; compile the tasks, resolving names within each list; check the
 * unused components; assemble the graph. A pass that finds a problem puts a placeholder in its
 * place and continues. Safe for use by any thread.
 */
public final class WorkflowCompiler {
  private static final List<String> KEYS =
      List.of("document", "input", "use", "do", "timeout", "output", "schedule", "evaluate");

  private final EngineLimits limits;
  private final ChainCatalog chains;
  private final DocumentReader reader;

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
    this.reader = new DocumentReader(limits);
  }

  /**
   * Compiles a definition.
   *
   * @param source the text
   * @param mediaType {@code application/yaml} or {@code application/json}
   * @throws IllegalArgumentException when the media type is another one
   */
  public CompilationResult compile(String source, String mediaType) {
    return compile(source, mediaType, (_, _) -> DocumentSource.none());
  }

  /**
   * Compiles a definition that may refer to documents.
   *
   * @param source the text
   * @param mediaType {@code application/yaml} or {@code application/json}
   * @param documents source of the documents to which it refers; opened when there are any
   * @throws IllegalArgumentException when the media type is another one
   */
  public CompilationResult compile(String source, String mediaType, DocumentSources documents) {
    return CompilerStack.run(
        limits.json().maxDepth(), () -> compiled(source, mediaType, documents));
  }

  private CompilationResult compiled(String source, String mediaType, DocumentSources sources) {
    SourceText text = new SourceText(source);
    Findings findings = new Findings(limits.definition().maxProblems());
    Diagnostics diagnostics = new Diagnostics(text, findings);
    try {
      DocumentValue document = DocumentValue.root(reader.read(source, mediaType));
      ExternalDocuments documents = new ExternalDocuments(limits);
      return new Passes(document, limits, chains, documents, findings, diagnostics).run(sources);
    } catch (DocumentSyntaxException e) {
      diagnostics.at(e.offset(), "", e.problem());
      return new CompilationResult.Rejected(findings.problems(), findings.warnings());
    }
  }

  /** The passes over one document tree. */
  private static final class Passes {
    private final DocumentValue document;
    private final ChainCatalog chains;
    private final ExternalDocuments documents;
    private final Findings findings;
    private final Diagnostics diagnostics;
    private final ExpressionFieldCompiler expressions;
    private final FieldReader fieldReader;
    private final DataFlowCompiler dataFlowCompiler;
    private final TaskCompiler tasks;
    private final ScheduleCompiler schedules;

    Passes(
        DocumentValue document,
        EngineLimits limits,
        ChainCatalog chains,
        ExternalDocuments documents,
        Findings findings,
        Diagnostics diagnostics) {
      this.document = document;
      this.chains = chains;
      this.documents = documents;
      this.findings = findings;
      this.diagnostics = diagnostics;
      this.fieldReader = FieldReader.of(document, "a definition", KEYS, diagnostics);
      this.expressions = new ExpressionFieldCompiler(limits, diagnostics);
      this.dataFlowCompiler =
          new DataFlowCompiler(
              new SchemaFieldCompiler(
                  limits, new ExternalResources(documents, null, diagnostics), diagnostics),
              expressions,
              diagnostics);
      ReusableComponents reusableComponents =
          ReusableComponents.of(fieldReader.get("use"), diagnostics);
      this.tasks =
          new TaskCompiler(
              limits, documents, reusableComponents, expressions, dataFlowCompiler, diagnostics);
      this.schedules = new ScheduleCompiler(limits, expressions, diagnostics);
    }

    CompilationResult run(DocumentSources sources) {
      DefinitionHeader.DocumentSection header = header();
      DefinitionKey key = findings.hasProblems() ? null : header.key();
      documents.from(() -> sources.open(key, document.payload()));
      ScheduleCompiler.CompiledSchedule schedule =
          schedules.compile(fieldReader.get("schedule"), header.scheduleHints());
      if (schedule != null && !findings.hasProblems()) {
        schedule = schedules.withConstants(schedule);
      }
      DataTransform input =
          dataFlowCompiler.input(fieldReader.get("input"), VisibleVariables.ofWorkflowInput());
      DataTransform output =
          dataFlowCompiler.output(fieldReader.get("output"), VisibleVariables.ofWorkflowOutput());
      Expression<Long> timeout =
          tasks.timeouts().compile(fieldReader.get("timeout"), VisibleVariables.ofWorkflowInput());
      KnownMembers first = MemberFlow.transformed(fieldReader.get("input"), KnownMembers.ANY);
      Block body =
          tasks.lists().sequence(fieldReader.required("do"), VisibleVariables.NONE.on(first));
      tasks.checkUnused();
      if (findings.hasProblems()) {
        return new CompilationResult.Rejected(findings.problems(), findings.warnings());
      }
      ProcessGraph graph = graph(header, input, output, timeout, body);
      return new CompilationResult.Compiled(
          schedule == null ? graph : schedule.applyTo(graph),
          document.payload(),
          header.chains(),
          header.orderingKey(),
          findings.services(),
          findings.programs(),
          findings.secrets(),
          schedule == null ? null : use(schedule),
          findings.origins(),
          findings.warnings(),
          documents.pinned());
    }

    private ScheduleUse use(ScheduleCompiler.CompiledSchedule schedule) {
      DocumentValue place = schedule.place();
      Position position = diagnostics.source().at(place.offset());
      return new ScheduleUse(
          place.pointer(),
          position.line(),
          position.column(),
          schedule.rule().recurrence().leastMillis());
    }

    private DefinitionHeader.DocumentSection header() {
      DefinitionHeader definitionHeader = new DefinitionHeader(diagnostics, chains, expressions);
      definitionHeader.evaluate(fieldReader.get("evaluate"));
      return definitionHeader.document(fieldReader.required("document"));
    }

    private ProcessGraph graph(
        DefinitionHeader.DocumentSection header,
        DataTransform input,
        DataTransform output,
        @Nullable Expression<Long> timeout,
        Block body) {
      return ProcessGraph.of(
          new ProcessGraph.DefinitionContent(
              header.key(),
              document.payload(),
              DefinitionFingerprint.of(document.payload(), documents.pinned())),
          tasks.count(),
          input,
          body,
          output,
          timeout,
          header.durability());
    }
  }
}
