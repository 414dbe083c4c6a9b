package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.graph.Node;
import dev.pinion.core.graph.TaskAttributes;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.DurationFieldCompiler;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.template.ContainerTemplate;
import dev.pinion.core.template.NameValuePairs;
import dev.pinion.core.template.ProgramRunTemplate;
import dev.pinion.core.template.ProgramText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compiles {@code run} of a shell, a script or a container (DSL reference, "Run"). */
public final class ProgramTaskCompiler {
  /** The programs that a {@code run} may have. */
  public static final List<String> PROGRAMS = List.of("shell", "script", "container");

  private static final List<String> RETURNS = List.of("stdout", "stderr", "code", "all", "none");
  private static final List<String> SHELL_KEYS =
      List.of("command", "stdin", "arguments", "environment");
  private static final List<String> SCRIPT_KEYS =
      List.of("language", "code", "source", "stdin", "arguments", "environment");
  private static final List<String> SERVER_KEYS = List.of("command", "arguments", "environment");
  private static final List<String> CONTAINER_KEYS =
      List.of(
          "image",
          "name",
          "command",
          "ports",
          "volumes",
          "environment",
          "stdin",
          "arguments",
          "lifetime",
          "pullPolicy");
  private static final Map<String, Program.Kind> LANGUAGES =
      Map.of(
          "js", Program.Kind.JAVASCRIPT,
          "javascript", Program.Kind.JAVASCRIPT,
          "python", Program.Kind.PYTHON);
  private static final List<String> PULL_POLICIES = List.of("ifNotPresent", "always", "never");
  private static final List<String> CLEANUPS = List.of("never", "always", "eventually");

  /** Texts in other languages, which have braces of their own. */
  private static final Set<String> CODE = Set.of("command", "code");

  /** Name of an environment variable (POSIX, "Environment Variable Definition"). */
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final ExpressionFieldCompiler expressions;
  private final DurationFieldCompiler durations;
  private final ExternalResources resources;
  private final AuthenticationCompiler authentications;
  private final Diagnostics diagnostics;

  /** A compiler of the programs in one document. */
  public ProgramTaskCompiler(
      ExpressionFieldCompiler expressions,
      DurationFieldCompiler durations,
      ExternalResources resources,
      AuthenticationCompiler authentications,
      Diagnostics diagnostics) {
    this.expressions = expressions;
    this.durations = durations;
    this.resources = resources;
    this.authentications = authentications;
    this.diagnostics = diagnostics;
  }

  /**
   * Compiles a task.
   *
   * @param run the value of {@code run}
   * @param kind the member of {@link #PROGRAMS} that it has
   */
  public Node compile(
      TaskAttributes common, FieldReader run, String kind, VisibleVariables visibleVariables) {
    DocumentValue program = run.getPresent(kind);
    if (!program.isObject()) {
      diagnostics.expected(program, "an object as \"" + kind + "\"");
      return Placeholders.task();
    }
    Set<String> visible = visibleVariables.ofTask();
    FieldReader fields =
        FieldReader.of(
            program,
            kind.equals("container") ? "a container" : "a " + kind,
            switch (kind) {
              case "shell" -> SHELL_KEYS;
              case "script" -> SCRIPT_KEYS;
              default -> CONTAINER_KEYS;
            },
            diagnostics);
    Expression<? extends Program> compiled =
        switch (kind) {
          case "shell" -> shell(fields, visible);
          case "script" -> script(fields, visible);
          default -> container(common, fields, visible);
        };
    Expression<List<String>> arguments = arguments(fields.get("arguments"), visible);
    DeferredProgramParts deferred =
        authentications.programParts(program.pointer(), visibleVariables);
    Set<String> secret = visibleVariables.ofAuthentication();
    return new Node.Call(
        common,
        new ProgramRunTemplate(
            compiled,
            arguments,
            environment(fields.get("environment"), kind, secret, deferred),
            stdin(fields.get("stdin"), secret, deferred),
            ProgramRun.Returns.valueOf(run.word("return", RETURNS).toUpperCase(Locale.ROOT)),
            !run.has("await") || run.flag("await"),
            deferred.template()));
  }

  /** The standard input; null for none, and for one that the Invoker makes. */
  private @Nullable Expression<Payload> stdin(
      @Nullable DocumentValue stdin, Set<String> visible, DeferredProgramParts deferred) {
    if (stdin == null) {
      return null;
    }
    Expression<Payload> made = expressions.template(stdin, visible);
    if (!deferred.defers(stdin)) {
      return made;
    }
    deferred.body(stdin, made);
    return null;
  }

  /**
   * The program that serves a protocol by its standard input and output.
   *
   * @param parameters what is sent to it, or null
   */
  Expression<ProgramRun> server(
      DocumentValue program,
      @Nullable DocumentValue parameters,
      VisibleVariables visibleVariables) {
    Set<String> visible = visibleVariables.ofTask();
    FieldReader fields =
        FieldReader.of(program, "the stdio transport of a server", SERVER_KEYS, diagnostics);
    DocumentValue command = fields.requiredText("command");
    if (command != null) {
      diagnostics.addProgram(command, Program.Kind.MCP);
    }
    Expression<String> text =
        command == null ? Placeholders.expression() : text(command, "command", visible);
    Expression<Program> served =
        (input, scope, budget) -> new Program.Server(text.evaluate(input, scope, budget));
    DeferredProgramParts deferred =
        authentications.programParts(program.pointer(), visibleVariables);
    Set<String> secret = visibleVariables.ofAuthentication();
    return new ProgramRunTemplate(
        served,
        arguments(fields.get("arguments"), visible),
        environment(fields.get("environment"), Program.Kind.MCP.word(), secret, deferred),
        stdin(parameters, secret, deferred),
        ProgramRun.Returns.NONE,
        true,
        deferred.template());
  }

  private Expression<Program> shell(FieldReader fields, Set<String> visible) {
    DocumentValue command = fields.requiredText("command");
    if (command == null) {
      return Placeholders.expression();
    }
    diagnostics.addProgram(command, Program.Kind.SHELL);
    Expression<String> text = text(command, "command", visible);
    return (input, scope, budget) -> new Program.Shell(text.evaluate(input, scope, budget));
  }

  private Expression<Program> script(FieldReader fields, Set<String> visible) {
    Program.Kind language = language(fields.requiredText("language"));
    DocumentValue source = fields.get("source");
    DocumentValue code = fields.text("code");
    if (source != null && fields.has("code")) {
      diagnostics.key(source, "expected either \"code\" or \"source\" in a script, found both");
      return Placeholders.expression();
    }
    if (source != null) {
      return external(language, source);
    }
    if (!fields.has("code") && !fields.isMisspelt("code") && !fields.isMisspelt("source")) {
      diagnostics.key(fields.owner(), "expected \"code\" or \"source\" in a script, found none");
    }
    if (language == null || code == null) {
      return Placeholders.expression();
    }
    diagnostics.addProgram(code, language);
    Expression<String> text = text(code, "code", visible);
    return (input, scope, budget) ->
        new Program.Script(language, text.evaluate(input, scope, budget));
  }

  /** A script in a document of its own, whose text is code as it stands. */
  private Expression<Program> external(Program.@Nullable Kind language, DocumentValue source) {
    String code = resources.text(source);
    if (language == null || code == null) {
      return Placeholders.expression();
    }
    if (code.indexOf('\0') >= 0) {
      diagnostics.value(source, "expected no NUL character in the source of a script, found one");
      return Placeholders.expression();
    }
    diagnostics.addProgram(source, language);
    Program script = new Program.Script(language, code);
    return (input, scope, budget) -> script;
  }

  private Program.@Nullable Kind language(@Nullable DocumentValue language) {
    if (language == null) {
      return null;
    }
    Program.Kind kind = LANGUAGES.get(language.text());
    if (kind == null) {
      List<String> names = LANGUAGES.keySet().stream().sorted().toList();
      diagnostics.value(
          language,
          "expected one of "
              + String.join(", ", names)
              + " as language of a script, found "
              + ValueDescription.describe(language.json()),
          () -> SpellingSuggestion.of(language.text(), names));
    }
    return kind;
  }

  private Expression<Program.Container> container(
      TaskAttributes common, FieldReader fields, Set<String> visible) {
    DocumentValue image = fields.requiredText("image");
    DocumentValue command = fields.text("command");
    DocumentValue name = fields.text("name");
    if (image != null) {
      diagnostics.addProgram(image, Program.Kind.CONTAINER);
    }
    return new ContainerTemplate(
        image == null ? Placeholders.expression() : text(image, "image", visible),
        command == null ? null : text(command, "command", visible),
        name == null ? null : text(name, "name", visible),
        common.name(),
        pairs(fields.get("ports"), visible),
        pairs(fields.get("volumes"), visible),
        switch (fields.word("pullPolicy", PULL_POLICIES)) {
          case "always" -> Program.Pull.ALWAYS;
          case "never" -> Program.Pull.NEVER;
          default -> Program.Pull.IF_NOT_PRESENT;
        },
        lifetime(fields.object("lifetime"), visible));
  }

  /** The time from the end of a container to its removal; null for never. */
  private @Nullable Expression<Long> lifetime(
      @Nullable DocumentValue lifetime, Set<String> visible) {
    if (lifetime == null) {
      return null;
    }
    FieldReader fields =
        FieldReader.of(lifetime, "a lifetime", List.of("cleanup", "after"), diagnostics);
    fields.required("cleanup");
    String cleanup = fields.word("cleanup", CLEANUPS);
    DocumentValue after = fields.get("after");
    Expression<Long> delay = after == null ? null : durations.compile(after, visible);
    if (cleanup.equals("eventually") && after == null && !fields.isMisspelt("after")) {
      diagnostics.key(lifetime, "expected \"after\" in a lifetime that ends, found none");
    } else if (!cleanup.equals("eventually") && after != null && !cleanup.isEmpty()) {
      diagnostics.key(
          after, "expected \"after\" beside cleanup: eventually, found it beside " + cleanup);
    }
    return switch (cleanup) {
      case "always" -> (input, scope, budget) -> 0L;
      case "eventually" -> delay;
      default -> null;
    };
  }

  private Expression<String> text(DocumentValue value, String part, Set<String> visible) {
    return ProgramText.of(
        CODE.contains(part)
            ? expressions.code(value, visible)
            : expressions.template(value, visible),
        part,
        ExpressionFieldCompiler.location(value));
  }

  private Expression<List<String>> arguments(
      @Nullable DocumentValue arguments, Set<String> visible) {
    if (arguments == null) {
      return (input, scope, budget) -> List.of();
    }
    if (!arguments.isArray() && !expressions.isWhole(arguments)) {
      diagnostics.expected(
          arguments, "an array of strings or an expression within ${ } as \"arguments\"");
      return Placeholders.expression();
    }
    for (DocumentValue argument : arguments.items()) {
      if (argument.isObject() || argument.isArray() || argument.json().isNull()) {
        diagnostics.expected(argument, "a string as argument of a program");
      }
    }
    return ProgramRunTemplate.arguments(
        expressions.template(arguments, visible), ExpressionFieldCompiler.location(arguments));
  }

  private NameValuePairs environment(
      @Nullable DocumentValue environment,
      String kind,
      Set<String> visible,
      DeferredProgramParts deferred) {
    if (environment == null) {
      return NameValuePairs.NONE;
    }
    boolean contained = kind.equals("container");
    for (DocumentValue variable : environment.members()) {
      if (contained && Program.Container.isShown(variable.name()) && deferred.defers(variable)) {
        diagnostics.key(
            variable,
            "expected another name of an environment variable that uses secrets, found \""
                + ValueDescription.shorten(variable.name())
                + "\", whose value stands on the command line of the container engine");
      }
      if (!VARIABLE.matcher(variable.name()).matches()) {
        diagnostics.key(
            variable,
            "expected letters, digits and underscores as the name of an environment variable,"
                + " found \""
                + ValueDescription.shorten(variable.name())
                + "\"");
      }
    }
    return pairs(environment, visible, deferred);
  }

  private NameValuePairs pairs(@Nullable DocumentValue values, Set<String> visible) {
    return values == null ? NameValuePairs.NONE : pairs(values, visible, null);
  }

  /**
   * Names with values.
   *
   * @param deferred takes those that the Invoker makes; null where it makes none
   */
  private NameValuePairs pairs(
      DocumentValue values, Set<String> visible, @Nullable DeferredProgramParts deferred) {
    if (!values.isObject()) {
      diagnostics.expected(values, "an object as \"" + values.name() + "\"");
      return NameValuePairs.NONE;
    }
    List<NameValuePairs.Member> members = new ArrayList<>();
    for (DocumentValue value : values.members()) {
      NameValuePairs.Member member =
          new NameValuePairs.Member(
              value.name(),
              expressions.template(value, visible),
              ExpressionFieldCompiler.location(value));
      if (deferred != null && deferred.defers(value)) {
        deferred.variable(value, member);
      } else {
        members.add(member);
      }
    }
    return NameValuePairs.of(members);
  }
}
