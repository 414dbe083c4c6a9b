package dev.pinion.core.jq.syntax;

import dev.pinion.core.jq.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of the parser for terms: operands of operators, with what stands behind them. */
abstract class TermParser extends StructureParser {
  TermParser(String source) {
    super(source);
  }

  final Syntax operand() {
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
        term = access ? optional(offset, term) : attempt(offset, term);
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
      default -> attempt(offset, term);
    };
  }

  /** {@code term?}; a second question mark changes nothing. */
  private static Syntax attempt(int offset, Syntax term) {
    return term instanceof Syntax.Try t && t.handler() == null
        ? term
        : new Syntax.Try(offset, term, null);
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
    List<Syntax.Case> cases = new ArrayList<>();
    do {
      Syntax condition = query();
      expectWord("then");
      cases.add(new Syntax.Case(condition, query()));
    } while (acceptWord("elif"));
    Syntax otherwise = acceptWord("else") ? query() : null;
    expectWord("end");
    return new Syntax.If(offset, cases, otherwise);
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

  final Syntax.Function definition() {
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

  final void refuseModules() {
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
}
