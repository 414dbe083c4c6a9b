package dev.pinion.core.jq.syntax;

import dev.pinion.core.jq.syntax.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of the parser for nested structures: strings, objects and patterns. */
abstract class StructureParser extends TokenReader {
  StructureParser(String source) {
    super(source);
  }

  /** Parses a pipe. */
  abstract Syntax query();

  /** Parses operators of at least some precedence, one level further in. */
  abstract Syntax nested(int least);

  Syntax format() {
    Token format = advance();
    return token().kind() == Kind.QUOTE
        ? string(format.text())
        : new Syntax.Format(format.offset(), format.text());
  }

  Syntax string(@Nullable String format) {
    int offset = token().offset();
    List<String> texts = new ArrayList<>();
    List<Syntax> holes = new ArrayList<>();
    Lexer.StringPart part = stringPart();
    texts.add(part.text());
    while (!part.last()) {
      advance();
      holes.add(query());
      if (!token().is(Kind.SYMBOL, ")")) {
        throw unexpected("\")\" at the end of the interpolation");
      }
      part = stringPart();
      texts.add(part.text());
    }
    advance();
    return new Syntax.Text(offset, format, texts, holes);
  }

  Syntax object(int offset) {
    List<Syntax.Member> members = new ArrayList<>();
    if (accept("}")) {
      return new Syntax.ObjectOf(offset, members);
    }
    do {
      members.add(member());
    } while (accept(",") && !token().is(Kind.SYMBOL, "}"));
    expect("}");
    return new Syntax.ObjectOf(offset, members);
  }

  Syntax.Member member() {
    int offset = token().offset();
    if (accept("(")) {
      Syntax key = query();
      expect(")");
      expect(":");
      return new Syntax.Member(key, memberValue());
    }
    if (token().kind() == Kind.VARIABLE) {
      return variableMember();
    }
    Syntax key = plainKey("a key, a variable or \"(\"");
    return accept(":")
        ? new Syntax.Member(key, memberValue())
        : new Syntax.Member(key, new Syntax.Index(offset, new Syntax.Identity(offset), key));
  }

  Syntax.Member variableMember() {
    String name = token().text();
    int offset = token().offset();
    Syntax variable = variableTerm();
    return accept(":")
        ? new Syntax.Member(variable, memberValue())
        : new Syntax.Member(text(offset, name), variable);
  }

  Syntax plainKey(String expected) {
    int offset = token().offset();
    return switch (token().kind()) {
      case NAME, KEYWORD -> text(offset, advance().text());
      case QUOTE -> string(null);
      case FORMAT -> format();
      default -> throw unexpected(expected);
    };
  }

  Syntax memberValue() {
    int offset = token().offset();
    List<Syntax> stages = new ArrayList<>();
    do {
      stages.add(nested(0));
    } while (accept("|"));
    return stages.size() == 1 ? stages.getFirst() : new Syntax.Pipe(offset, stages);
  }

  List<Syntax.Pattern> patterns() {
    List<Syntax.Pattern> patterns = new ArrayList<>();
    do {
      patterns.add(pattern());
    } while (accept("?//"));
    return patterns;
  }

  Syntax.Pattern pattern() {
    enter();
    Syntax.Pattern pattern;
    if (token().kind() == Kind.VARIABLE) {
      pattern = new Syntax.Pattern.Name(advance().text());
    } else if (accept("[")) {
      List<Syntax.Pattern> items = new ArrayList<>();
      do {
        items.add(pattern());
      } while (accept(","));
      expect("]");
      pattern = new Syntax.Pattern.Items(items);
    } else if (accept("{")) {
      List<Syntax.Entry> entries = new ArrayList<>();
      do {
        entries.add(entry());
      } while (accept(","));
      expect("}");
      pattern = new Syntax.Pattern.Members(entries);
    } else {
      throw unexpected("a variable, \"[\" or \"{\"");
    }
    leave();
    return pattern;
  }

  Syntax.Entry entry() {
    if (token().kind() == Kind.VARIABLE) {
      Token variable = advance();
      Syntax key = text(variable.offset(), variable.text());
      return new Syntax.Entry(key, variable.text(), accept(":") ? pattern() : null);
    }
    Syntax key;
    if (accept("(")) {
      key = query();
      expect(")");
    } else {
      key = plainKey("a key, a variable or \"(\"");
    }
    expect(":");
    return new Syntax.Entry(key, null, pattern());
  }

  Syntax variableTerm() {
    Token variable = advance();
    return variable.text().equals("__loc__")
        ? new Syntax.Location(variable.offset(), line(variable.offset()))
        : new Syntax.Variable(variable.offset(), variable.text());
  }

  int line(int offset) {
    return 1 + (int) source().substring(0, offset).chars().filter(c -> c == '\n').count();
  }

  static Syntax.Text text(int offset, String text) {
    return new Syntax.Text(offset, null, List.of(text), List.of());
  }
}
