package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.graph.Compensation;
import dev.pinion.core.graph.DataTransform;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.FunctionResolver.DocumentFunctions;
import dev.pinion.core.language.call.AuthenticationCompiler;
import dev.pinion.core.language.call.ServiceCallCompiler;
import dev.pinion.core.language.event.EmitTaskCompiler;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.DurationFieldCompiler;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.KnownMembers;
import dev.pinion.core.language.field.MetadataHints;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.TaskSubject;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ExternalDocuments;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.language.reference.ReusableComponents;
import dev.pinion.core.language.reference.TaskExtensions;
import dev.pinion.core.language.reference.TaskKind;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles tasks: first the common members of all, then those of each kind. */
final class TaskCompiler {
  private final EngineLimits limits;
  private final ExternalDocuments documents;
  private final Map<String, TaskCompiler> ofDocuments = new HashMap<>();
  private final TaskNumbers numbers;
  private final TaskExtensions extensions;
  private final ExtensionCompiler extensionCompiler;
  private final ExpressionFieldCompiler expressions;
  private final DurationFieldCompiler durations;
  private final DataFlowCompiler dataFlowCompiler;
  private final TimeoutCompiler timeoutCompiler;
  private final MetadataHints metadataHints;
  private final Diagnostics diagnostics;
  private final TaskListCompiler lists;
  private final CompensationCompiler compensations;
  private final AuthenticationCompiler authentications;
  private final ServiceCallCompiler services;
  private final CallTaskCompiler calls;
  private final ExternalResources resources;
  private final FunctionResolver functions;
  private final ControlFlowTaskCompiler flows;
  private final TryTaskCompiler tries;
  private final RaiseTaskCompiler raises;
  private final RunTaskCompiler runs;
  private final EmitTaskCompiler emits;
  private final ListenTaskCompiler listens;

  /** A compiler of the tasks of a definition. */
  TaskCompiler(
      EngineLimits limits,
      ExternalDocuments documents,
      ReusableComponents reusableComponents,
      ExpressionFieldCompiler expressions,
      DataFlowCompiler dataFlowCompiler,
      Diagnostics diagnostics) {
    this.limits = limits;
    this.documents = documents;
    this.expressions = expressions;
    this.durations = new DurationFieldCompiler(expressions, diagnostics);
    this.dataFlowCompiler = dataFlowCompiler;
    this.timeoutCompiler = new TimeoutCompiler(reusableComponents, expressions, diagnostics);
    this.metadataHints = new MetadataHints(diagnostics);
    this.diagnostics = diagnostics;
    this.lists = new TaskListCompiler(this::compile, diagnostics);
    this.numbers = new TaskNumbers(limits.definition().maxTasks());
    this.extensions = reusableComponents.extensions();
    this.extensionCompiler = new ExtensionCompiler(lists, expressions, numbers);
    this.compensations = new CompensationCompiler(lists, numbers, diagnostics);
    this.flows = new ControlFlowTaskCompiler(lists, expressions, diagnostics);
    this.tries = tries(reusableComponents);
    this.raises = new RaiseTaskCompiler(reusableComponents, expressions, diagnostics);
    this.authentications = new AuthenticationCompiler(reusableComponents, expressions, diagnostics);
    this.resources = new ExternalResources(documents, null, diagnostics);
    this.runs = runs();
    this.emits = new EmitTaskCompiler(limits, expressions, diagnostics);
    this.listens = listens();
    this.functions =
        new FunctionResolver(
            reusableComponents,
            new DocumentFunctions(documents, this::ofDocument, null),
            this::compile,
            diagnostics);
    this.services = services();
    this.calls = calls();
  }

  /**
   * A compiler of the task in a document of its own, which sees no components of the definition.
   * Extensions of the definition apply to it.
   */
  private TaskCompiler(TaskCompiler definition, ExternalDocument document) {
    this.limits = definition.limits;
    this.documents = definition.documents;
    this.diagnostics = document.diagnostics();
    this.expressions = new ExpressionFieldCompiler(limits, diagnostics);
    this.durations = new DurationFieldCompiler(expressions, diagnostics);
    this.resources = new ExternalResources(documents, document.uri(), diagnostics);
    SchemaFieldCompiler schemas = new SchemaFieldCompiler(limits, resources, diagnostics);
    this.dataFlowCompiler = new DataFlowCompiler(schemas, expressions, diagnostics);
    ReusableComponents none = ReusableComponents.of(null, diagnostics);
    this.timeoutCompiler = new TimeoutCompiler(none, expressions, diagnostics);
    this.metadataHints = new MetadataHints(diagnostics);
    this.lists = new TaskListCompiler(this::compile, diagnostics);
    this.numbers = definition.numbers;
    this.extensions = definition.extensions;
    this.extensionCompiler = definition.extensionCompiler;
    this.compensations = new CompensationCompiler(lists, numbers, diagnostics);
    this.flows = new ControlFlowTaskCompiler(lists, expressions, diagnostics);
    this.tries = tries(none);
    this.raises = new RaiseTaskCompiler(none, expressions, diagnostics);
    this.authentications = new AuthenticationCompiler(none, expressions, diagnostics);
    this.runs = runs();
    this.emits = new EmitTaskCompiler(limits, expressions, diagnostics);
    this.listens = listens();
    this.functions =
        new FunctionResolver(
            none,
            new DocumentFunctions(documents, definition::ofDocument, document.uri()),
            this::compile,
            diagnostics);
    this.services = services();
    this.calls = calls();
  }

  private TryTaskCompiler tries(ReusableComponents reusableComponents) {
    return new TryTaskCompiler(
        lists,
        new RetryPolicyCompiler(reusableComponents, expressions, diagnostics),
        expressions,
        diagnostics);
  }

  private RunTaskCompiler runs() {
    return new RunTaskCompiler(expressions, durations, resources, authentications, diagnostics);
  }

  private ListenTaskCompiler listens() {
    return new ListenTaskCompiler(limits, lists, dataFlowCompiler, expressions, diagnostics);
  }

  private ServiceCallCompiler services() {
    SubscriptionCompiler subscriptions =
        new SubscriptionCompiler(lists, dataFlowCompiler, durations, expressions, diagnostics);
    return new ServiceCallCompiler(
        limits,
        documents,
        resources,
        subscriptions::compile,
        expressions,
        authentications,
        diagnostics);
  }

  private CallTaskCompiler calls() {
    return new CallTaskCompiler(
        lists,
        flows,
        services,
        new FunctionCallCompiler(limits.json().maxDepth(), expressions, numbers, diagnostics),
        functions,
        diagnostics);
  }

  private TaskListCompiler.SingleTaskCompiler ofDocument(ExternalDocument document) {
    return ofDocuments.computeIfAbsent(document.uri(), _ -> new TaskCompiler(this, document))
        ::compile;
  }

  TaskListCompiler lists() {
    return lists;
  }

  TimeoutCompiler timeouts() {
    return timeoutCompiler;
  }

  /** Number of tasks found so far. */
  int count() {
    return numbers.count();
  }

  /** Checks the reusable components that no task refers to. */
  void checkUnused() {
    numbers.without(
        () -> {
          extensionCompiler.checkUnused(extensions.unused());
          functions.checkUnused();
        });
    timeoutCompiler.checkUnused();
    tries.retries().checkUnused();
    raises.checkUnused();
    authentications.checkUnused();
  }

  /** Compiles a task and its content. */
  Node compile(DocumentValue task, TaskContext place) {
    int id = numbers.next();
    if (numbers.areUsedUp(task, diagnostics)) {
      return Placeholders.task();
    }
    String what = place.variables().around().isFunction(task) ? "a function" : "a task";
    if (!task.isObject()) {
      diagnostics.expected(task, "an object as " + what.substring(2));
      return Placeholders.task();
    }
    TaskSubject before = expressions.about(place.variables().around().subject());
    boolean compensating = expressions.compensating(place.variables().isInCompensation());
    try {
      return compile(id, task, what, place);
    } finally {
      expressions.about(before);
      expressions.compensating(compensating);
    }
  }

  private Node compile(int id, DocumentValue task, String what, TaskContext place) {
    TaskKind kind = kind(task, what);
    List<String> keys = kind == null ? TaskKind.allKeys() : kind.keys();
    FieldReader fieldReader =
        FieldReader.of(
            task, kind == null ? what : what + " of kind " + kind.key(), keys, diagnostics);
    TaskAttributes common = common(id, kind, fieldReader, place);
    if (kind == null) {
      return Placeholders.task();
    }
    List<TaskExtensions.Extension> applied =
        place.variables().around().extensible() ? extensions.of(kind) : List.of();
    KnownMembers input =
        MemberFlow.transformed(fieldReader.get("input"), place.variables().input());
    VisibleVariables visibleVariables = place.variables().on(input);
    if (applied.isEmpty()) {
      return body(kind, common, fieldReader, new TaskContext(visibleVariables, place.flow()));
    }
    TaskContext inside = new TaskContext(visibleVariables, place.flow().fromInside());
    return extensionCompiler.compile(
        common, applied, attributes -> extended(kind, attributes, fieldReader, inside));
  }

  /** The work of an extended task. */
  private Node extended(
      TaskKind kind, TaskAttributes common, FieldReader fieldReader, TaskContext place) {
    TaskSubject before = expressions.about(TaskSubject.EXTENDED);
    try {
      return body(kind, common, fieldReader, place);
    } finally {
      expressions.about(before);
    }
  }

  /** The kind of a task, or null when it has none or several, which has been reported. */
  private @Nullable TaskKind kind(DocumentValue task, String what) {
    Set<TaskKind> kinds = TaskKind.of(task);
    Iterator<TaskKind> each = kinds.iterator();
    if (kinds.size() == 1) {
      return each.next();
    }
    String all = String.join(", ", TaskKind.NAMES);
    if (kinds.size() > 1) {
      diagnostics.key(
          task,
          "expected one of %s in %s, found both \"%s\" and \"%s\""
              .formatted(all, what, each.next().key(), each.next().key()));
    } else if (!hasKeyForAKind(task)) {
      diagnostics.key(task, "expected one of " + all + " in " + what + ", found none");
    }
    return null;
  }

  /**
   * Whether a key that will be reported as unknown was meant to be the kind: it resembles one, or
   * no key that a task may have.
   */
  private static boolean hasKeyForAKind(DocumentValue task) {
    List<String> all = TaskKind.allKeys();
    return task.members().stream()
        .map(DocumentValue::name)
        .filter(key -> !all.contains(key))
        .anyMatch(
            key ->
                SpellingSuggestion.of(key, all) == null
                    || SpellingSuggestion.of(key, TaskKind.NAMES) != null);
  }

  private TaskAttributes common(
      int id, @Nullable TaskKind kind, FieldReader fieldReader, TaskContext place) {
    DocumentValue task = fieldReader.owner();
    VisibleVariables visibleVariables = place.variables();
    boolean secret = services.hasInputWithSecrets(fieldReader);
    DocumentValue declared = fieldReader.get("input");
    DataTransform input =
        secret && declared != null
            ? dataFlowCompiler.checkOnly(declared)
            : dataFlowCompiler.input(declared, visibleVariables.ofRawInput());
    DataTransform output =
        dataFlowCompiler.output(
            fieldReader.get("output"),
            secret ? visibleVariables.ofOutputWithoutInput() : visibleVariables.ofTask());
    DataTransform export =
        dataFlowCompiler.export(
            fieldReader.get("export"),
            secret ? visibleVariables.ofExportWithoutInput() : visibleVariables.ofExport());
    if (secret) {
      timeoutCompiler.requireFixed(fieldReader.get("timeout"));
    }
    DocumentValue condition = fieldReader.get("if");
    DocumentValue compensate =
        metadataHints.ofTask(
            fieldReader.get("metadata"), ServiceCallCompiler.protocol(fieldReader));
    Compensation compensation = compensations.compile(compensate, kind, visibleVariables);
    return new TaskAttributes(
        new TaskAttributes.TaskIdentity(
            id,
            visibleVariables.around().name(task),
            visibleVariables.around().pointer(task),
            task.payload()),
        condition == null ? null : expressions.condition(condition, visibleVariables.ofRawInput()),
        input,
        output,
        export,
        timeoutCompiler.compile(fieldReader.get("timeout"), visibleVariables.ofRawInput()),
        place.flow().resolve(fieldReader.get("then")),
        compensation);
  }

  private Node body(
      TaskKind kind, TaskAttributes common, FieldReader fieldReader, TaskContext place) {
    VisibleVariables visibleVariables = place.variables();
    return switch (kind) {
      case CALL -> calls.compile(common, fieldReader, visibleVariables);
      case DO -> new Node.Do(common, lists.sequence(fieldReader.get("do"), visibleVariables));
      case FOR -> flows.forTask(common, fieldReader, visibleVariables);
      case FORK -> flows.fork(common, fieldReader, visibleVariables);
      case RAISE -> raises.compile(common, fieldReader, visibleVariables);
      case RUN -> runs.compile(common, fieldReader, visibleVariables);
      case SET -> set(common, fieldReader, visibleVariables);
      case SWITCH -> flows.switchTask(common, fieldReader, place);
      case TRY -> tries.compile(common, fieldReader, place);
      case WAIT -> wait(common, fieldReader, visibleVariables);
      case EMIT -> emits.compile(common, fieldReader, visibleVariables);
      case LISTEN -> listens.compile(common, fieldReader, visibleVariables);
    };
  }

  private Node set(
      TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    DocumentValue set = fieldReader.getPresent("set");
    if (!(set.isText() || set.isObject()) || (set.isObject() && set.json().isEmpty())) {
      diagnostics.expected(set, "an object with at least one key, or an expression, as \"set\"");
      return Placeholders.task();
    }
    return new Node.Set(
        common,
        set.isText()
            ? expressions.transformation(set, visibleVariables.ofTask())
            : expressions.template(set, visibleVariables.ofTask()));
  }

  private Node wait(
      TaskAttributes common, FieldReader fieldReader, VisibleVariables visibleVariables) {
    return new Node.Wait(
        common, durations.compile(fieldReader.getPresent("wait"), visibleVariables.ofTask()));
  }
}
