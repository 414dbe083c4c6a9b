package dev.pinion.core.jq;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.jq.code.AssignmentCode;
import dev.pinion.core.jq.code.BindingCode;
import dev.pinion.core.jq.code.Code;
import dev.pinion.core.jq.code.ConstructionCode;
import dev.pinion.core.jq.code.ControlFlowCode;
import dev.pinion.core.jq.code.DescentCode;
import dev.pinion.core.jq.code.ErrorHandlingCode;
import dev.pinion.core.jq.code.FoldCode;
import dev.pinion.core.jq.code.InterpolationCode;
import dev.pinion.core.jq.code.LabelCode;
import dev.pinion.core.jq.code.NativeCallCode;
import dev.pinion.core.jq.code.ObjectConstructionCode;
import dev.pinion.core.jq.code.OperatorCode;
import dev.pinion.core.jq.code.PathCode;
import dev.pinion.core.jq.syntax.ExpressionProblem;
import dev.pinion.core.jq.syntax.ExpressionSyntaxException;
import dev.pinion.core.jq.syntax.Syntax;
import dev.pinion.core.jq.value.EvaluationContext;
import dev.pinion.core.jq.value.EvaluationLimits;
import dev.pinion.core.jq.value.JqException;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.NumberText;
import dev.pinion.core.jq.value.StringFormats;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.SpellingSuggestion;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Turns a syntax tree into code: resolves names to positions, checks them, chooses the
 * single-valued form where there is one. Functions are compiled for each combination of
 * single-valued and other arguments that they are called with.
 */
final class CodeGenerator {
  /** Nesting of syntax, bodies of functions included; each level takes a few Java frames. */
  private static final int MAX_NESTING = 250;

  /** Pieces of code of one expression: stops functions that are compiled for ever more callers. */
  private static final int MAX_CODES = 200_000;

  /** Most characters of a name for which a similar name is searched. */
  private static final int MAX_SUGGESTED = 64;

  /** Problems of one expression that come with suggestions. */
  private static final int MAX_SUGGESTIONS = 100;

  private final Set<String> variables;
  private final EvaluationLimits limits;
  private final Set<ExpressionProblem> problems = new LinkedHashSet<>();
  private final PatternGenerator patterns = new PatternGenerator(this);
  private final ScopeGenerator scopes = new ScopeGenerator(this, patterns);
  private final ChainGenerator chains = new ChainGenerator(this);
  private final CallGenerator calls = new CallGenerator(this);
  private int nesting;
  private int codes;

  CodeGenerator(Set<String> variables, EvaluationLimits limits) {
    this.variables = variables;
    this.limits = limits;
  }

  /** Problems found so far. */
  Set<ExpressionProblem> problems() {
    return problems;
  }

  void problem(int offset, String message, @Nullable String suggestion) {
    problems.add(new ExpressionProblem(offset, message, suggestion));
  }

  /** The known name that was probably meant; long names and late problems get no suggestion. */
  @Nullable String nearest(String name, Set<String> known) {
    return name.length() > MAX_SUGGESTED || problems.size() > MAX_SUGGESTIONS
        ? null
        : SpellingSuggestion.of(name, known);
  }

  /** Code for a whole expression. */
  Code program(Syntax syntax) {
    return code(syntax, LexicalScope.NONE);
  }

  Code code(Syntax syntax, LexicalScope lexicalScope) {
    if (++nesting > MAX_NESTING || ++codes > MAX_CODES) {
      throw new ExpressionSyntaxException(
          syntax.offset(),
          nesting > MAX_NESTING
              ? "expected at most " + MAX_NESTING + " levels of operators and calls, found more"
              : "expected at most " + MAX_CODES + " operations with all functions unfolded");
    }
    Code code = generate(syntax, lexicalScope);
    nesting--;
    return code;
  }

  private Code generate(Syntax syntax, LexicalScope lexicalScope) {
    return switch (syntax) {
      case Syntax.Identity s -> PathCode.Identity.INSTANCE;
      case Syntax.Descent s -> DescentCode.INSTANCE;
      case Syntax.Numeral s -> new ConstructionCode.Constant(number(s.digits()));
      case Syntax.Text s -> text(s, lexicalScope);
      case Syntax.Format s -> format(s);
      case Syntax.Variable s -> variable(s, lexicalScope);
      case Syntax.Location s -> location(s);
      case Syntax.Call s -> calls.call(s, lexicalScope);
      case Syntax.Index s -> chains.access(s, lexicalScope);
      case Syntax.Slice s -> chains.access(s, lexicalScope);
      case Syntax.Iterate s -> chains.access(s, lexicalScope);
      case Syntax.ArrayOf s -> array(s, lexicalScope);
      case Syntax.ObjectOf s -> object(s, lexicalScope);
      case Syntax.Pipe s -> ControlFlowCode.pipe(codes(s.stages(), lexicalScope));
      case Syntax.Comma s -> new ControlFlowCode.Comma(codes(s.parts(), lexicalScope));
      case Syntax.Alternative s ->
          new ErrorHandlingCode.Alternative(codes(s.parts(), lexicalScope));
      case Syntax.Binary s -> chains.binary(s, lexicalScope);
      case Syntax.Assign s -> assign(s, lexicalScope);
      case Syntax.Negate s ->
          fold(new OperatorCode.Negate(code(s.operand(), lexicalScope)), s.operand());
      case Syntax.If s -> chains.cases(s, lexicalScope);
      case Syntax.Try s ->
          new ErrorHandlingCode.Try(
              code(s.body(), lexicalScope),
              s.handler() == null ? null : code(s.handler(), lexicalScope));
      case Syntax.Reduce s -> reduce(s, lexicalScope);
      case Syntax.Foreach s -> foreach(s, lexicalScope);
      case Syntax.As s -> scopes.scoped(s, lexicalScope);
      case Syntax.Define s -> scopes.scoped(s, lexicalScope);
      case Syntax.Label s -> scopes.scoped(s, lexicalScope);
      case Syntax.Break s -> breakTo(s, lexicalScope);
    };
  }

  Code[] codes(List<Syntax> parts, LexicalScope lexicalScope) {
    Code[] result = new Code[parts.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = code(parts.get(i), lexicalScope);
    }
    return result;
  }

  private static JsonNode number(String digits) {
    JsonNode number = NumberText.parse(digits);
    if (number == null) {
      throw new IllegalStateException("expected a number, found " + digits);
    }
    return JqValues.isLong(number) ? number : JqValues.number(number.doubleValue());
  }

  private Code text(Syntax.Text s, LexicalScope lexicalScope) {
    if (s.holes().isEmpty()) {
      return new ConstructionCode.Constant(TextNode.valueOf(s.texts().getFirst()));
    }
    StringFormats.Format format =
        s.format() == null ? StringFormats.TEXT : known(s.offset(), s.format());
    String[] texts = s.texts().toArray(String[]::new);
    return new InterpolationCode.Interpolation(texts, codes(s.holes(), lexicalScope), format);
  }

  private Code format(Syntax.Format s) {
    StringFormats.Format format = known(s.offset(), s.name());
    return new NativeCallCode.Apply0(
        (in, evaluationContext) -> evaluationContext.textNode(format.apply(in, evaluationContext)));
  }

  private StringFormats.Format known(int offset, String name) {
    StringFormats.Format format = StringFormats.find(name);
    if (format == null) {
      problem(
          offset,
          "expected a format, found \"@" + name + "\"",
          SpellingSuggestion.of(name, StringFormats.names()));
      return StringFormats.TEXT;
    }
    return format;
  }

  private Code variable(Syntax.Variable s, LexicalScope lexicalScope) {
    LexicalScope.Entry local = lexicalScope.variable(s.name());
    if (local != null) {
      return new BindingCode.Local(lexicalScope.hops(local));
    }
    if (variables.contains(s.name())) {
      return new BindingCode.Global(s.name());
    }
    String refusal = UnsupportedFeatures.variable(s.name());
    if (refusal != null) {
      problem(s.offset(), refusal, null);
    } else {
      Set<String> known = new TreeSet<>(variables);
      lexicalScope.variables(known);
      String nearest = nearest(s.name(), known);
      problem(
          s.offset(),
          "expected a variable that is defined here, found \"$" + s.name() + "\"",
          nearest == null ? null : "$" + nearest);
    }
    return CallGenerator.nothing();
  }

  private static Code location(Syntax.Location s) {
    Map<String, JsonNode> members = JqValues.members(2);
    members.put("file", TextNode.valueOf("<top-level>"));
    members.put("line", JqValues.number((long) s.line()));
    return new ConstructionCode.Constant(JqValues.object(members));
  }

  private Code array(Syntax.ArrayOf s, LexicalScope lexicalScope) {
    if (s.items() == null) {
      return new ConstructionCode.Constant(JqValues.EMPTY_ARRAY);
    }
    Code items = code(s.items(), lexicalScope);
    return items instanceof ConstructionCode.Constant
            || (items instanceof ControlFlowCode.Comma comma && comma.constant())
        ? folded(new ConstructionCode.Collect(items))
        : new ConstructionCode.Collect(items);
  }

  private Code object(Syntax.ObjectOf s, LexicalScope lexicalScope) {
    int count = s.members().size();
    Code[] keys = new Code[count];
    Code[] values = new Code[count];
    boolean constantKeys = true;
    boolean constant = true;
    for (int i = 0; i < count; i++) {
      Syntax.Member member = s.members().get(i);
      keys[i] = key(member.key(), lexicalScope);
      values[i] = code(member.value(), lexicalScope);
      constantKeys &= keys[i] instanceof ConstructionCode.Constant;
      constant &= values[i] instanceof ConstructionCode.Constant;
    }
    if (!constantKeys || !ConstructionCode.allSingle(values)) {
      return new ObjectConstructionCode.AnyObject(keys, values);
    }
    Code object = new ObjectConstructionCode.PlainObject(constants(keys), values);
    return constant ? folded(object) : object;
  }

  private static String[] constants(Code... keys) {
    String[] names = new String[keys.length];
    for (int i = 0; i < keys.length; i++) {
      names[i] = ((ConstructionCode.Constant) keys[i]).value.asText();
    }
    return names;
  }

  /** Code for the key of an object or pattern; a constant one must be a string. */
  Code key(Syntax syntax, LexicalScope lexicalScope) {
    Code key = code(syntax, lexicalScope);
    if (key instanceof ConstructionCode.Constant constant && !constant.value.isTextual()) {
      problem(
          syntax.offset(),
          "expected a string as key of an object, found " + JqValues.describe(constant.value),
          null);
    }
    return key;
  }

  private Code fold(Code code, Syntax operand) {
    return operand instanceof Syntax.Numeral ? folded(code) : code;
  }

  /** Evaluates code that is made of constants. */
  private Code folded(Code code) {
    try {
      EvaluationContext evaluationContext =
          new EvaluationContext(Scope.EMPTY, new Budget(MAX_CODES), limits);
      return new ConstructionCode.Constant(code.one(JqValues.NULL, null, evaluationContext));
    } catch (JqException | ExpressionException | BudgetExceededException e) {
      // Too large to fold, or an error that belongs to the evaluation.
      return code;
    }
  }

  private Code assign(Syntax.Assign s, LexicalScope lexicalScope) {
    Code target = code(s.target(), lexicalScope);
    Code value = code(s.value(), lexicalScope);
    String operator = s.operator().substring(0, s.operator().length() - 1);
    return switch (operator) {
      case "" -> new AssignmentCode.PlainAssignment(target, value);
      case "|" -> new AssignmentCode.Update(target, value);
      case "//" ->
          new AssignmentCode.Operate(
              (old, other, evaluationContext) -> JqValues.truthy(old) ? old : other, target, value);
      default -> new AssignmentCode.Operate(OperatorCode.operator(operator), target, value);
    };
  }

  private Code reduce(Syntax.Reduce s, LexicalScope lexicalScope) {
    Code source = code(s.source(), lexicalScope);
    PatternGenerator.GeneratedBinding generatedBinding = patterns.bind(s.patterns(), lexicalScope);
    return new FoldCode.Reduce(
        source,
        generatedBinding.binding(),
        code(s.init(), lexicalScope),
        code(s.update(), generatedBinding.names()));
  }

  private Code foreach(Syntax.Foreach s, LexicalScope lexicalScope) {
    Code source = code(s.source(), lexicalScope);
    PatternGenerator.GeneratedBinding generatedBinding = patterns.bind(s.patterns(), lexicalScope);
    return new FoldCode.Foreach(
        source,
        generatedBinding.binding(),
        code(s.init(), lexicalScope),
        code(s.update(), generatedBinding.names()),
        s.extract() == null ? null : code(s.extract(), generatedBinding.names()));
  }

  private Code breakTo(Syntax.Break s, LexicalScope lexicalScope) {
    LexicalScope.Entry label = lexicalScope.label(s.name());
    if (label == null) {
      problem(s.offset(), "expected a label around \"break\", found none named $" + s.name(), null);
      return CallGenerator.nothing();
    }
    return new LabelCode.Break(lexicalScope.hops(label));
  }
}
