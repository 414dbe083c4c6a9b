package dev.pinion.core.expr;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Nearest;
import dev.pinion.core.model.Scope;
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
  private final RunLimits limits;
  private final Set<ExpressionProblem> problems = new LinkedHashSet<>();
  private final PatternGenerator patterns = new PatternGenerator(this);
  private final CallGenerator calls = new CallGenerator(this);
  private int nesting;
  private int codes;

  CodeGenerator(Set<String> variables, RunLimits limits) {
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
        : Nearest.to(name, known);
  }

  /** Code for a whole expression. */
  Code program(Syntax syntax) {
    return code(syntax, Names.NONE);
  }

  Code code(Syntax syntax, Names names) {
    if (++nesting > MAX_NESTING || ++codes > MAX_CODES) {
      throw new SyntaxException(
          syntax.offset(),
          nesting > MAX_NESTING
              ? "expected at most " + MAX_NESTING + " levels of operators and calls, found more"
              : "expected at most " + MAX_CODES + " operations with all functions unfolded");
    }
    Code code = generate(syntax, names);
    nesting--;
    return code;
  }

  private Code generate(Syntax syntax, Names names) {
    return switch (syntax) {
      case Syntax.Identity s -> AccessCode.Identity.INSTANCE;
      case Syntax.Descent s -> AccessCode.Descent.INSTANCE;
      case Syntax.Numeral s -> new MakeCode.Constant(number(s.digits()));
      case Syntax.Text s -> text(s, names);
      case Syntax.Format s -> format(s);
      case Syntax.Variable s -> variable(s, names);
      case Syntax.Location s -> location(s);
      case Syntax.Call s -> calls.call(s, names);
      case Syntax.Index s -> index(code(s.target(), names), code(s.key(), names), s.optional());
      case Syntax.Slice s ->
          new AccessCode.Slice(
              code(s.target(), names), bound(s.from(), names), bound(s.to(), names), s.optional());
      case Syntax.Iterate s -> new AccessCode.Iterate(code(s.target(), names), s.optional());
      case Syntax.ArrayOf s -> array(s, names);
      case Syntax.ObjectOf s -> object(s, names);
      case Syntax.Pipe s -> pipe(s, names);
      case Syntax.Comma s -> new FlowCode.Comma(codes(s.parts(), names));
      case Syntax.Binary s -> binary(s, names);
      case Syntax.Assign s -> assign(s, names);
      case Syntax.Negate s -> fold(new OperatorCode.Negate(code(s.operand(), names)), s.operand());
      case Syntax.If s -> condition(s, names);
      case Syntax.Try s ->
          new ErrorCode.Try(
              code(s.body(), names), s.handler() == null ? null : code(s.handler(), names));
      case Syntax.Reduce s -> reduce(s, names);
      case Syntax.Foreach s -> foreach(s, names);
      case Syntax.As s -> as(s, names);
      case Syntax.Define s -> define(s, names);
      case Syntax.Label s -> new LabelCode.Label(code(s.body(), names.withLabel(s.name())));
      case Syntax.Break s -> breakTo(s, names);
    };
  }

  Code[] codes(List<Syntax> parts, Names names) {
    Code[] result = new Code[parts.size()];
    for (int i = 0; i < result.length; i++) {
      result[i] = code(parts.get(i), names);
    }
    return result;
  }

  private static JsonNode number(String digits) {
    if (digits.length() <= 18 && digits.chars().allMatch(Character::isDigit)) {
      return Json.number(Long.parseLong(digits));
    }
    double value = Double.parseDouble(digits);
    return Json.number(Math.min(value, Double.MAX_VALUE));
  }

  private Code text(Syntax.Text s, Names names) {
    if (s.holes().isEmpty()) {
      return new MakeCode.Constant(TextNode.valueOf(s.texts().getFirst()));
    }
    Formats.Format format = s.format() == null ? Formats.TEXT : known(s.offset(), s.format());
    String[] texts = s.texts().toArray(String[]::new);
    return new TextCode.Interpolation(texts, codes(s.holes(), names), format);
  }

  private Code format(Syntax.Format s) {
    Formats.Format format = known(s.offset(), s.name());
    return new ApplyCode.Apply0((in, run) -> run.textNode(format.apply(in, run)));
  }

  private Formats.Format known(int offset, String name) {
    Formats.Format format = Formats.find(name);
    if (format == null) {
      problem(
          offset, "expected a format, found \"@" + name + "\"", Nearest.to(name, Formats.names()));
      return Formats.TEXT;
    }
    return format;
  }

  private Code variable(Syntax.Variable s, Names names) {
    Names.Entry local = names.variable(s.name());
    if (local != null) {
      return new BindingCode.Local(names.hops(local));
    }
    if (variables.contains(s.name())) {
      return new BindingCode.Global(s.name());
    }
    String refusal = Refused.variable(s.name());
    if (refusal != null) {
      problem(s.offset(), refusal, null);
    } else {
      Set<String> known = new TreeSet<>(variables);
      names.variables(known);
      String nearest = nearest(s.name(), known);
      problem(
          s.offset(),
          "expected a variable that is defined here, found \"$" + s.name() + "\"",
          nearest == null ? null : "$" + nearest);
    }
    return CallGenerator.nothing();
  }

  private static Code location(Syntax.Location s) {
    Map<String, JsonNode> members = Json.members(2);
    members.put("file", TextNode.valueOf("<top-level>"));
    members.put("line", Json.number((long) s.line()));
    return new MakeCode.Constant(Json.object(members));
  }

  private static Code index(Code target, Code key, boolean optional) {
    return !optional
            && key instanceof MakeCode.Constant constant
            && constant.value instanceof TextNode text
        ? FlowCode.pipe(target, new AccessCode.Fields(text))
        : new AccessCode.Index(target, key, optional);
  }

  private Code bound(@Nullable Syntax bound, Names names) {
    return bound == null ? new MakeCode.Constant(Json.NULL) : code(bound, names);
  }

  private Code array(Syntax.ArrayOf s, Names names) {
    if (s.items() == null) {
      return new MakeCode.Constant(Json.EMPTY_ARRAY);
    }
    Code items = code(s.items(), names);
    return items instanceof MakeCode.Constant
            || (items instanceof FlowCode.Comma comma && comma.constant())
        ? folded(new MakeCode.Collect(items))
        : new MakeCode.Collect(items);
  }

  private Code object(Syntax.ObjectOf s, Names names) {
    int count = s.members().size();
    Code[] keys = new Code[count];
    Code[] values = new Code[count];
    boolean constantKeys = true;
    boolean constant = true;
    for (int i = 0; i < count; i++) {
      Syntax.Member member = s.members().get(i);
      keys[i] = key(member.key(), names);
      values[i] = code(member.value(), names);
      constantKeys &= keys[i] instanceof MakeCode.Constant;
      constant &= values[i] instanceof MakeCode.Constant;
    }
    if (!constantKeys || !MakeCode.allSingle(values)) {
      return new ObjectCode.AnyObject(keys, values);
    }
    Code object = new ObjectCode.PlainObject(constants(keys), values);
    return constant ? folded(object) : object;
  }

  private static String[] constants(Code... keys) {
    String[] names = new String[keys.length];
    for (int i = 0; i < keys.length; i++) {
      names[i] = ((MakeCode.Constant) keys[i]).value.asText();
    }
    return names;
  }

  /** Code for the key of an object or pattern; a constant one must be a string. */
  Code key(Syntax syntax, Names names) {
    Code key = code(syntax, names);
    if (key instanceof MakeCode.Constant constant && !constant.value.isTextual()) {
      problem(
          syntax.offset(),
          "expected a string as key of an object, found " + Json.describe(constant.value),
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
      Run run = new Run(Scope.EMPTY, new Budget(MAX_CODES), limits);
      return new MakeCode.Constant(code.one(Json.NULL, null, run));
    } catch (JqError | ExpressionException | BudgetExceededException e) {
      // Too large to fold, or an error that belongs to the evaluation.
      return code;
    }
  }

  private Code pipe(Syntax.Pipe s, Names names) {
    Code[] stages = codes(s.stages(), names);
    Code code = stages[stages.length - 1];
    for (int i = stages.length - 2; i >= 0; i--) {
      code = FlowCode.pipe(stages[i], code);
    }
    return code;
  }

  private Code binary(Syntax.Binary s, Names names) {
    Code left = code(s.left(), names);
    Code right = code(s.right(), names);
    return switch (s.operator()) {
      case "//" -> new ErrorCode.Alternative(left, right);
      case "and" -> new FlowCode.Logic(false, left, right);
      case "or" -> new FlowCode.Logic(true, left, right);
      default -> new OperatorCode.Binary(OperatorCode.operator(s.operator()), left, right);
    };
  }

  private Code assign(Syntax.Assign s, Names names) {
    Code target = code(s.target(), names);
    Code value = code(s.value(), names);
    String operator = s.operator().substring(0, s.operator().length() - 1);
    return switch (operator) {
      case "" -> new AssignCode.Set(target, value);
      case "|" -> new AssignCode.Update(target, value);
      case "//" ->
          new AssignCode.Operate(
              (old, other, run) -> Json.truthy(old) ? old : other, target, value);
      default -> new AssignCode.Operate(OperatorCode.operator(operator), target, value);
    };
  }

  private Code condition(Syntax.If s, Names names) {
    Code otherwise =
        s.otherwise() == null ? AccessCode.Identity.INSTANCE : code(s.otherwise(), names);
    return new FlowCode.If(code(s.condition(), names), code(s.then(), names), otherwise);
  }

  private Code reduce(Syntax.Reduce s, Names names) {
    Code source = code(s.source(), names);
    PatternGenerator.Bound bound = patterns.bind(s.patterns(), names);
    return new FoldCode.Reduce(
        source, bound.binding(), code(s.init(), names), code(s.update(), bound.names()));
  }

  private Code foreach(Syntax.Foreach s, Names names) {
    Code source = code(s.source(), names);
    PatternGenerator.Bound bound = patterns.bind(s.patterns(), names);
    return new FoldCode.Foreach(
        source,
        bound.binding(),
        code(s.init(), names),
        code(s.update(), bound.names()),
        s.extract() == null ? null : code(s.extract(), bound.names()));
  }

  private Code as(Syntax.As s, Names names) {
    Code source = code(s.source(), names);
    PatternGenerator.Bound bound = patterns.bind(s.patterns(), names);
    return new BindingCode.As(source, bound.binding(), code(s.body(), bound.names()));
  }

  private Code breakTo(Syntax.Break s, Names names) {
    Names.Entry label = names.label(s.name());
    if (label == null) {
      problem(s.offset(), "expected a label around \"break\", found none named $" + s.name(), null);
      return CallGenerator.nothing();
    }
    return new LabelCode.Break(names.hops(label));
  }

  private Code define(Syntax.Define s, Names names) {
    FunctionCode function = new FunctionCode(s.function(), names, this);
    Code rest = code(s.rest(), function.visible());
    function.check();
    return rest;
  }
}
