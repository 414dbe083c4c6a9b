package dev.pinion.core.jq.syntax;

import dev.pinion.core.jq.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses jq 1.6, with the looser {@code as} and the terms ({@code if}, {@code reduce}, {@code
 * foreach}) that later versions accept in more places. Recursive descent with a bound on nesting.
 */
public final class Parser extends StructureParser {
  private static final Map<String, Integer> PRECEDENCE =
      Map.ofEntries(
          Map.entry("//", 1),
          Map.entry("=", 2),
          Map.entry("|=", 2),
          Map.entry("+=", 2),
          Map.entry("-=", 2),
          Map.entry("*=", 2),
          Map.entry("/=", 2),
          Map.entry("%=", 2),
          Map.entry("//=", 2),
          Map.entry("or", 3),
          Map.entry("and", 4),
          Map.entry("==", 5),
          Map.entry("!=", 5),
          Map.entry("<", 5),
          Map.entry("<=", 5),
          Map.entry(">", 5),
          Map.entry(">=", 5),
          Map.entry("+", 6),
          Map.entry("-", 6),
          Map.entry("*", 7),
          Map.entry("/", 7),
          Map.entry("%", 7));

  private static final int ALTERNATIVE = 1;
  private static final int ASSIGNMENT = 2;
  private static final int COMPARISON = 5;

  private Parser(String source) {
    super(source);
  }

  /**
   * Parses a whole source.
   *
   * @throws ExpressionSyntaxException at the first token that does not fit
   */
  public static Syntax parse(String source) {
    Parser parser = new Parser(source);
    Syntax program = parser.query();
    if (parser.token().kind() != Kind.END) {
      throw parser.unexpected("an operator or the end of the expression");
    }
    return program;
  }

  /** Parses a sequence of definitions. */
  public static List<Syntax.Function> parseDefinitions(String source) {
    Parser parser = new Parser(source);
    List<Syntax.Function> functions = new ArrayList<>();
    while (parser.token().is(Kind.KEYWORD, "def")) {
      functions.add(parser.definition());
    }
    if (parser.token().kind() != Kind.END) {
      throw parser.unexpected("\"def\"");
    }
    return functions;
  }

  @Override
  Syntax query() {
    int offset = token().offset();
    enter();
    List<Syntax> stages = new ArrayList<>();
    do {
      stages.add(comma());
    } while (accept("|"));
    leave();
    return stages.size() == 1 ? stages.getFirst() : new Syntax.Pipe(offset, stages);
  }

  private Syntax comma() {
    int offset = token().offset();
    List<Syntax> parts = new ArrayList<>();
    do {
      parts.add(part());
    } while (accept(","));
    return parts.size() == 1 ? parts.getFirst() : new Syntax.Comma(offset, parts);
  }

  private Syntax part() {
    int offset = token().offset();
    if (token().is(Kind.KEYWORD, "def")) {
      Syntax.Function function = definition();
      return new Syntax.Define(offset, function, query());
    }
    if (acceptWord("label")) {
      String name = variable();
      expect("|");
      return new Syntax.Label(offset, name, query());
    }
    refuseModules();
    Syntax expression = expression(0);
    if (!acceptWord("as")) {
      return expression;
    }
    List<Syntax.Pattern> patterns = patterns();
    expect("|");
    return new Syntax.As(offset, expression, patterns, query());
  }

  private void refuseModules() {
    if (token().kind() == Kind.KEYWORD
        && (token().text().equals("import")
            || token().text().equals("include")
            || token().text().equals("module"))) {
      throw new ExpressionSyntaxException(
          token().offset(),
          "expected an expression, found \""
              + token().text()
              + "\": there are no modules here; define functions in the expression");
    }
  }

  private Syntax expression(int least) {
    Syntax left = operand();
    while (true) {
      Integer precedence = operatorPrecedence();
      if (precedence == null || precedence < least) {
        return left;
      }
      Token operator = advance();
      boolean rightwards = precedence == ALTERNATIVE;
      Syntax right = nested(rightwards ? precedence : precedence + 1);
      left = combine(operator, precedence, left, right);
      if (precedence == ASSIGNMENT || precedence == COMPARISON) {
        refuseChain(precedence, operator);
      }
    }
  }

  @Override
  Syntax nested(int least) {
    enter();
    Syntax result = expression(least);
    leave();
    return result;
  }

  private static Syntax combine(Token operator, int precedence, Syntax left, Syntax right) {
    return precedence == ASSIGNMENT
        ? new Syntax.Assign(operator.offset(), operator.text(), left, right)
        : new Syntax.Binary(operator.offset(), operator.text(), left, right);
  }

  private void refuseChain(int precedence, Token operator) {
    Integer next = operatorPrecedence();
    if (next != null && next == precedence) {
      throw new ExpressionSyntaxException(
          token().offset(),
          "expected parentheses, found "
              + token().found()
              + " after an operation with \""
              + operator.text()
              + "\"");
    }
  }

  private @Nullable Integer operatorPrecedence() {
    return token().kind() == Kind.SYMBOL || token().kind() == Kind.KEYWORD
        ? PRECEDENCE.get(token().text())
        : null;
  }

  private Syntax operand() {
    int offset = token().offset();
    if (!accept("-")) {
      return postfix();
    }
    enter();
    Syntax operand = operand();
    leave();
    return new Syntax.Negate(offset, operand);
  }

  private Syntax postfix() {
    boolean access = token().kind() == Kind.FIELD || token().is(Kind.SYMBOL, ".");
    Syntax term = term();
    while (true) {
      int offset = token().offset();
      Syntax deeper = access(offset, term);
      if (deeper != null) {
        term = deeper;
        access = true;
      } else if (acceptOptional(offset)) {
        term = access ? optional(offset, term) : new Syntax.Try(offset, term, null);
        access = false;
      } else {
        return term;
      }
    }
  }

  /** Access to a part of a term, or null where the term ends. */
  private @Nullable Syntax access(int offset, Syntax term) {
    if (token().kind() == Kind.FIELD) {
      return new Syntax.Index(offset, term, text(offset, advance().text()));
    }
    if (accept(".")) {
      if (token().kind() == Kind.QUOTE) {
        return new Syntax.Index(offset, term, string(null));
      }
      if (!token().is(Kind.SYMBOL, "[")) {
        throw unexpected("a field name or \"[\" after \".\"");
      }
    }
    return accept("[") ? bracket(offset, term) : null;
  }

  private boolean acceptOptional(int offset) {
    if (token().is(Kind.SYMBOL, "?//")) {
      // Outside of patterns this is "?" followed by "//".
      replace(new Token(Kind.SYMBOL, "//", offset + 1));
      return true;
    }
    return accept("?");
  }

  /** {@code .a.b?}: only the last access may fail. */
  private static Syntax optional(int offset, Syntax term) {
    return switch (term) {
      case Syntax.Index i -> new Syntax.Index(i.offset(), i.target(), i.key(), true);
      case Syntax.Slice s -> new Syntax.Slice(s.offset(), s.target(), s.from(), s.to(), true);
      case Syntax.Iterate i -> new Syntax.Iterate(i.offset(), i.target(), true);
      default -> new Syntax.Try(offset, term, null);
    };
  }

  private Syntax bracket(int offset, Syntax target) {
    if (accept("]")) {
      return new Syntax.Iterate(offset, target);
    }
    if (accept(":")) {
      Syntax to = query();
      expect("]");
      return new Syntax.Slice(offset, target, null, to);
    }
    Syntax key = query();
    if (accept("]")) {
      return new Syntax.Index(offset, target, key);
    }
    expect(":");
    if (accept("]")) {
      return new Syntax.Slice(offset, target, key, null);
    }
    Syntax to = query();
    expect("]");
    return new Syntax.Slice(offset, target, key, to);
  }

  private Syntax term() {
    int offset = token().offset();
    return switch (token().kind()) {
      case NUMBER -> new Syntax.Numeral(offset, advance().text());
      case QUOTE -> string(null);
      case FORMAT -> format();
      case FIELD ->
          new Syntax.Index(offset, new Syntax.Identity(offset), text(offset, advance().text()));
      case VARIABLE -> variableTerm();
      case NAME -> call();
      case KEYWORD -> keywordTerm();
      case SYMBOL -> symbolTerm();
      case END -> throw unexpected("an expression");
    };
  }

  private Syntax symbolTerm() {
    int offset = token().offset();
    if (accept("..")) {
      return new Syntax.Descent(offset);
    }
    if (accept(".")) {
      Syntax identity = new Syntax.Identity(offset);
      return token().kind() == Kind.QUOTE
          ? new Syntax.Index(offset, identity, string(null))
          : identity;
    }
    if (accept("(")) {
      Syntax inner = query();
      expect(")");
      return inner;
    }
    if (accept("[")) {
      if (accept("]")) {
        return new Syntax.ArrayOf(offset, null);
      }
      Syntax items = query();
      expect("]");
      return new Syntax.ArrayOf(offset, items);
    }
    if (accept("{")) {
      return object(offset);
    }
    throw unexpected("an expression");
  }

  private Syntax keywordTerm() {
    int offset = token().offset();
    refuseModules();
    if (acceptWord("if")) {
      return condition(offset);
    }
    if (acceptWord("try")) {
      Syntax body = tryOperand();
      Syntax handler = acceptWord("catch") ? tryOperand() : null;
      return new Syntax.Try(offset, body, handler);
    }
    if (acceptWord("reduce")) {
      return reduce(offset);
    }
    if (acceptWord("foreach")) {
      return foreach(offset);
    }
    if (acceptWord("break")) {
      return new Syntax.Break(offset, variable());
    }
    throw unexpected("an expression");
  }

  private Syntax tryOperand() {
    enter();
    Syntax operand = operand();
    leave();
    return operand;
  }

  private Syntax condition(int offset) {
    Syntax condition = query();
    expectWord("then");
    Syntax then = query();
    Syntax otherwise = null;
    int elseOffset = token().offset();
    if (acceptWord("elif")) {
      enter();
      otherwise = condition(elseOffset);
      leave();
      return new Syntax.If(offset, condition, then, otherwise);
    }
    if (acceptWord("else")) {
      otherwise = query();
    }
    expectWord("end");
    return new Syntax.If(offset, condition, then, otherwise);
  }

  private Syntax reduce(int offset) {
    Syntax from = nested(0);
    expectWord("as");
    List<Syntax.Pattern> patterns = patterns();
    expect("(");
    Syntax init = query();
    expect(";");
    Syntax update = query();
    expect(")");
    return new Syntax.Reduce(offset, from, patterns, init, update);
  }

  private Syntax foreach(int offset) {
    Syntax from = nested(0);
    expectWord("as");
    List<Syntax.Pattern> patterns = patterns();
    expect("(");
    Syntax init = query();
    expect(";");
    Syntax update = query();
    Syntax extract = accept(";") ? query() : null;
    expect(")");
    return new Syntax.Foreach(offset, from, patterns, init, update, extract);
  }

  private Syntax call() {
    Token name = advance();
    List<Syntax> arguments = new ArrayList<>();
    if (accept("(")) {
      do {
        arguments.add(query());
      } while (accept(";"));
      expect(")");
    }
    return new Syntax.Call(name.offset(), name.text(), arguments);
  }

  private Syntax.Function definition() {
    int offset = advance().offset();
    if (token().kind() != Kind.NAME && token().kind() != Kind.KEYWORD) {
      throw unexpected("the name of a function");
    }
    String name = advance().text();
    List<String> parameters = new ArrayList<>();
    List<String> values = new ArrayList<>();
    if (accept("(")) {
      do {
        boolean value = token().kind() == Kind.VARIABLE;
        if (!value && token().kind() != Kind.NAME && token().kind() != Kind.KEYWORD) {
          throw unexpected("the name of a parameter");
        }
        String parameter = advance().text();
        parameters.add(parameter);
        if (value) {
          values.add(parameter);
        }
      } while (accept(";"));
      expect(")");
    }
    expect(":");
    Syntax body = query();
    expect(";");
    return new Syntax.Function(offset, name, parameters, bindValues(offset, values, body));
  }

  /** {@code def f($a): b;} means {@code def f(a): a as $a | b;}. */
  private static Syntax bindValues(int offset, List<String> values, Syntax body) {
    Syntax bound = body;
    for (String value : values.reversed()) {
      bound =
          new Syntax.As(
              offset,
              new Syntax.Call(offset, value, List.of()),
              List.of(new Syntax.Pattern.Name(value)),
              bound);
    }
    return bound;
  }
}
