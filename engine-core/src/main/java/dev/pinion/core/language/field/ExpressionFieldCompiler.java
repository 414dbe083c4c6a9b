package dev.pinion.core.language.field;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.jq.ExpressionCompiler;
import dev.pinion.core.jq.code.ExpressionLocation;
import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.language.field.InlinedExpressions.InlinedPlace;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.template.ConditionExpressions;
import dev.pinion.core.template.ExpressionText;
import dev.pinion.core.template.ItemExpressions;
import dev.pinion.core.template.JsonTemplate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the fields of a definition that hold runtime expressions, and reports problems at the
 * character concerned.
 */
public final class ExpressionFieldCompiler {
  /** Arguments of the DSL that only the parts of a call have which the Invoker evaluates. */
  private static final Map<String, String> CONFINED =
      Map.of(
          "secrets",
          "expected $secrets only in the arguments and in input.from of a call of a service, and in"
              + " environment and stdin of a program, found it where its value would be stored or"
              + " shown",
          "authorization",
          "expected $authorization only in the endpoint, the query, the headers and the body of a"
              + " call, found it where its value would be stored");

  private final ExpressionCompiler compiler;
  private final JsonTemplate templates;
  private final HabitualTexts habits;
  private final Diagnostics diagnostics;
  private final InlinedExpressions inlined = new InlinedExpressions();
  private boolean loose;
  private @Nullable TaskSubject subject;
  private boolean compensating;

  /** A compiler of the fields of one document. */
  public ExpressionFieldCompiler(EngineLimits limits, Diagnostics diagnostics) {
    this.compiler = new ExpressionCompiler(limits);
    this.templates = new JsonTemplate(limits);
    this.habits = new HabitualTexts(diagnostics);
    this.diagnostics = diagnostics;
  }

  /**
   * Lets every text be an expression, and every expression that cannot be evaluated be its text.
   */
  public void evaluateLoosely() {
    loose = true;
  }

  /** Whether a text without <code>${ }</code> may be an expression, too. */
  public boolean isLoose() {
    return loose;
  }

  /**
   * What {@code $task} means in the expressions compiled from now on.
   *
   * @param means null for the task that has the expression
   * @return what it meant before
   */
  public @Nullable TaskSubject about(@Nullable TaskSubject means) {
    TaskSubject before = subject;
    subject = means;
    return before;
  }

  /** What {@code $task} means now; null for the task that has the expression. */
  public @Nullable TaskSubject subject() {
    return subject;
  }

  /**
   * Whether the expressions compiled from now on stand in a compensation.
   *
   * @return whether those before did
   */
  public boolean compensating(boolean now) {
    boolean before = compensating;
    compensating = now;
    return before;
  }

  private Expression<Payload> about(String source, Expression<Payload> expression) {
    TaskSubject means = subject;
    Expression<Payload> meant =
        means != null && source.contains("$task") ? means.of(expression) : expression;
    return compensating && CompletedTaskValues.areIn(source)
        ? CompletedTaskValues.of(meant)
        : meant;
  }

  /** Whether a value is a string that is wholly an expression, within <code>${ }</code>. */
  public static boolean isEnclosed(DocumentValue documentValue) {
    return ExpressionText.of(documentValue.text()) != null;
  }

  /**
   * Whether a value is wholly an expression in a place that takes no other text: within <code>
   * ${ }</code>, and any text where the mode is loose.
   */
  public boolean isWhole(DocumentValue documentValue) {
    return isEnclosed(documentValue) || (loose && documentValue.isText());
  }

  /** A field that is an expression, with or without <code>${ }</code>. */
  public Expression<Payload> expression(DocumentValue documentValue, Set<String> variables) {
    if (!documentValue.isText()) {
      diagnostics.expected(documentValue, "an expression as \"" + documentValue.name() + "\"");
      return Placeholders.expression();
    }
    return inlined.get(
        documentValue,
        place(documentValue, variables, false, false),
        () -> compiled(documentValue, variables));
  }

  private InlinedPlace place(
      DocumentValue documentValue, Set<String> variables, boolean template, boolean loosely) {
    return new InlinedPlace(
        documentValue.pointer(), variables, template, loosely, subject, compensating);
  }

  private Expression<Payload> compiled(DocumentValue documentValue, Set<String> variables) {
    ExpressionText enclosed = ExpressionText.of(documentValue.text());
    String source = enclosed == null ? documentValue.text() : enclosed.source();
    int start = enclosed == null ? 0 : enclosed.offset();
    Expression<Payload> compiled =
        compiler.compileAt(
            ExpressionLocation.inExpression(documentValue.pointer(), source),
            source,
            variables,
            problem -> report(documentValue, start + problem.offset(), problem, variables));
    return compiled == null ? Placeholders.expression() : about(source, compiled);
  }

  /**
   * A field within <code>${ }</code> that needs no variables, or null when it needs some or is
   * wrong; problems are not reported.
   */
  public @Nullable Expression<Payload> expressionWithoutVariables(DocumentValue documentValue) {
    ExpressionText enclosed = ExpressionText.of(documentValue.text());
    return enclosed == null
        ? null
        : compiler.compileAt(
            ExpressionLocation.inExpression(documentValue.pointer(), enclosed.source()),
            enclosed.source(),
            Set.of(),
            _ -> {});
  }

  /** Whether no string in a value is an expression, nor begins like one. */
  public static boolean isConstant(DocumentValue documentValue) {
    String json = documentValue.json().toString();
    return !json.contains("${");
  }

  /** A field that is a condition. */
  public Expression<Boolean> condition(DocumentValue documentValue, Set<String> variables) {
    return ConditionExpressions.of(expression(documentValue, variables));
  }

  /** A field that is an expression, or an object with expressions in it. */
  public Expression<Payload> transformation(DocumentValue documentValue, Set<String> variables) {
    if (documentValue.isObject()) {
      return template(documentValue, variables);
    }
    if (!documentValue.isText()) {
      diagnostics.expected(
          documentValue, "an expression or an object as \"" + documentValue.name() + "\"");
      return Placeholders.expression();
    }
    return loose ? template(documentValue, variables) : expression(documentValue, variables);
  }

  /** Any JSON; strings within <code>${ }</code> are expressions, everything else is constant. */
  public Expression<Payload> template(DocumentValue documentValue, Set<String> variables) {
    return template(documentValue, variables, loose);
  }

  /** The same, where texts without <code>${ }</code> are no expressions in any mode. */
  public Expression<Payload> strictTemplate(DocumentValue documentValue, Set<String> variables) {
    return template(documentValue, variables, false);
  }

  /** The code of a program: a template, too. */
  public Expression<Payload> code(DocumentValue documentValue, Set<String> variables) {
    habits.checkCode(documentValue);
    return unchecked(documentValue, variables, loose);
  }

  private Expression<Payload> template(
      DocumentValue documentValue, Set<String> variables, boolean loosely) {
    habits.check(documentValue);
    return unchecked(documentValue, variables, loosely);
  }

  /** A template, without a look at habits. */
  private Expression<Payload> unchecked(
      DocumentValue documentValue, Set<String> variables, boolean loosely) {
    return inlined.get(
        documentValue,
        place(documentValue, variables, true, loosely),
        () -> compiledTemplate(documentValue, variables, loosely));
  }

  private Expression<Payload> compiledTemplate(
      DocumentValue documentValue, Set<String> variables, boolean loosely) {
    Expression<Payload> compiled =
        templates.compile(
            new JsonTemplate.TemplateText(
                documentValue.pointer(), documentValue.payload(), loosely),
            variables,
            (pointer, problem) ->
                report(documentValue.descendant(pointer), problem.offset(), problem, variables));
    if (compiled == null) {
      return Placeholders.expression();
    }
    return subject == null && !compensating
        ? compiled
        : about(documentValue.payload().toString(), compiled);
  }

  /** A field that is an expression or an array, and yields the items of a loop. */
  public Expression<List<Payload>> items(DocumentValue documentValue, Set<String> variables) {
    if (documentValue.isArray()) {
      return ItemExpressions.of(template(documentValue, variables));
    }
    if (!documentValue.isText()) {
      diagnostics.expected(
          documentValue, "an expression or an array as \"" + documentValue.name() + "\"");
      return Placeholders.expression();
    }
    return located(documentValue, ItemExpressions.of(expression(documentValue, variables)));
  }

  /** An expression made from that of a value; its errors give the value's place. */
  public static <T> Expression<T> located(DocumentValue documentValue, Expression<T> made) {
    ExpressionText enclosed = ExpressionText.of(documentValue.text());
    String source = enclosed == null ? documentValue.text() : enclosed.source();
    return ExpressionLocation.locate(
        ExpressionLocation.inExpression(documentValue.pointer(), source), made);
  }

  /** The place of a value for errors, with its expression when it is one. */
  public static String location(DocumentValue documentValue) {
    ExpressionText enclosed = ExpressionText.of(documentValue.text());
    return enclosed == null
        ? ExpressionLocation.atPointer(documentValue.pointer())
        : ExpressionLocation.inExpression(documentValue.pointer(), enclosed.source());
  }

  /** Reports a problem of a string at one of its characters. */
  public void report(DocumentValue documentValue, int index, ExpressionProblem problem) {
    diagnostics.character(documentValue, index, problem.message(), problem::suggestion);
  }

  private void report(
      DocumentValue documentValue, int index, ExpressionProblem problem, Set<String> variables) {
    String argument = argumentAt(documentValue.text(), index);
    String confined = argument == null ? null : CONFINED.get(argument);
    if (argument == null || variables.contains(argument)) {
      report(documentValue, index, problem);
    } else if (confined != null) {
      diagnostics.character(documentValue, index, confined);
    } else if (variables.isEmpty()) {
      diagnostics.character(
          documentValue, index, "expected an expression without variables, found $" + argument);
    } else {
      diagnostics.character(
          documentValue,
          index,
          "expected a variable that is available here ("
              + String.join(
                  ", ", new TreeSet<>(variables).stream().map(name -> "$" + name).toList())
              + "), found $"
              + argument);
    }
  }

  /** The argument of the DSL that begins at a position of a text, or null. */
  private static @Nullable String argumentAt(String text, int index) {
    if (index >= text.length() || text.charAt(index) != '$') {
      return null;
    }
    int end = index + 1;
    while (end < text.length() && Character.isJavaIdentifierPart(text.charAt(end))) {
      end++;
    }
    String name = text.substring(index + 1, end);
    return VisibleVariables.ARGUMENTS.contains(name) ? name : null;
  }
}
