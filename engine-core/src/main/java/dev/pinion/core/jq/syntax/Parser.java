package dev.pinion.core.jq.syntax;

import dev.pinion.core.jq.syntax.Token.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Parses jq 1.7, with the looser {@code as} and the terms ({@code if}, {@code reduce}, {@code
 * foreach}) that later versions accept in more places. Recursive descent with a bound on nesting;
 * chains of operators, of {@code elif}, of definitions and of bindings do not nest.
 */
public final class Parser extends TermParser {
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
    Syntax query = pipe(offset, part());
    leave();
    return query;
  }

  /** The rest of a pipe whose first part was read. */
  private Syntax pipe(int offset, Syntax first) {
    List<Syntax> stages = new ArrayList<>();
    stages.add(comma(offset, first));
    while (accept("|")) {
      int start = token().offset();
      stages.add(comma(start, part()));
    }
    return stages.size() == 1 ? stages.getFirst() : new Syntax.Pipe(offset, stages);
  }

  private Syntax comma(int offset, Syntax first) {
    List<Syntax> parts = new ArrayList<>();
    parts.add(first);
    while (accept(",")) {
      parts.add(part());
    }
    return parts.size() == 1 ? parts.getFirst() : new Syntax.Comma(offset, parts);
  }

  /**
   * A part of a pipe. Definitions, labels and bindings have all that follows as their body, so a
   * chain of them is read in a loop.
   */
  private Syntax part() {
    Deque<UnaryOperator<Syntax>> scopes = new ArrayDeque<>();
    while (true) {
      int offset = token().offset();
      UnaryOperator<Syntax> scope = definitionOrLabel(offset);
      if (scope == null) {
        refuseModules();
        Syntax expression = expression(0);
        scope = binding(offset, expression);
        if (scope == null) {
          return scopes.isEmpty() ? expression : within(scopes, pipe(offset, expression));
        }
      }
      scopes.push(scope);
    }
  }

  private @Nullable UnaryOperator<Syntax> definitionOrLabel(int offset) {
    if (token().is(Kind.KEYWORD, "def")) {
      Syntax.Function function = definition();
      return body -> new Syntax.Define(offset, function, body);
    }
    if (acceptWord("label")) {
      String name = variable();
      expect("|");
      return body -> new Syntax.Label(offset, name, body);
    }
    return null;
  }

  private @Nullable UnaryOperator<Syntax> binding(int offset, Syntax source) {
    if (!acceptWord("as")) {
      return null;
    }
    List<Syntax.Pattern> patterns = patterns();
    expect("|");
    return body -> new Syntax.As(offset, source, patterns, body);
  }

  /** A body inside scopes, the innermost of which comes first. */
  private static Syntax within(Deque<UnaryOperator<Syntax>> scopes, Syntax body) {
    Syntax whole = body;
    for (UnaryOperator<Syntax> scope : scopes) {
      whole = scope.apply(whole);
    }
    return whole;
  }

  private Syntax expression(int least) {
    Syntax left = operand();
    while (true) {
      Integer precedence = operatorPrecedence();
      if (precedence == null || precedence < least) {
        return left;
      }
      if (precedence == ALTERNATIVE) {
        left = alternatives(left);
        continue;
      }
      Token operator = advance();
      Syntax right = nested(precedence + 1);
      left = combine(operator, precedence, left, right);
      if (precedence == ASSIGNMENT || precedence == COMPARISON) {
        refuseChain(precedence, operator);
      }
    }
  }

  private Syntax alternatives(Syntax first) {
    int offset = token().offset();
    List<Syntax> parts = new ArrayList<>();
    parts.add(first);
    while (accept("//")) {
      parts.add(nested(ALTERNATIVE + 1));
    }
    return new Syntax.Alternative(offset, parts);
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
}
