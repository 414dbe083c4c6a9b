package dev.pinion.core.protobuf;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import dev.pinion.core.protobuf.ProtoTokens.TokenKind;
import java.util.HashMap;
import java.util.Map;

/** What the readers of one file share: its tokens, its syntax, and where its names stand. */
final class ProtoDeclarations {
  private final ProtoTokens tokens;
  private final Map<String, Integer> places = new HashMap<>();
  private boolean proto3;

  ProtoDeclarations(ProtoTokens tokens) {
    this.tokens = tokens;
  }

  ProtoTokens tokens() {
    return tokens;
  }

  /** Whether the file is of the third version of the language. */
  boolean isProto3() {
    return proto3;
  }

  void setProto3() {
    proto3 = true;
  }

  /** Records where a name is declared. */
  void declare(String fullName, int offset) {
    places.putIfAbsent(fullName, offset);
  }

  /** Index in the text of each declaration, by its full name. */
  Map<String, Integer> places() {
    return places;
  }

  /** A name within another one; the outer one may be empty. */
  static String within(String outer, String name) {
    return outer.isEmpty() ? name : outer + "." + name;
  }

  /** Takes a statement up to its semicolon, with everything in braces and brackets. */
  void skipStatement() throws ProtoSyntaxException {
    int depth = 0;
    while (depth > 0 || !tokens.isAt(";")) {
      depth += nesting();
      tokens.advance();
    }
    tokens.advance();
  }

  /** Takes a statement up to the end of its block in braces. */
  void skipBlock() throws ProtoSyntaxException {
    while (!tokens.isAt("{")) {
      requireMore();
      tokens.advance();
    }
    skipBraces();
  }

  private void skipBraces() throws ProtoSyntaxException {
    int depth = 0;
    do {
      depth += nesting();
      tokens.advance();
    } while (depth > 0);
  }

  /** The change of nesting that the present token makes. */
  private int nesting() throws ProtoSyntaxException {
    requireMore();
    if (tokens.isAt("{") || tokens.isAt("[")) {
      return 1;
    }
    return tokens.isAt("}") || tokens.isAt("]") ? -1 : 0;
  }

  private void requireMore() throws ProtoSyntaxException {
    if (tokens.kind() == TokenKind.END) {
      throw tokens.expected("the end of the statement");
    }
  }

  /** Takes options in brackets, if there are any; what they mean is not looked at. */
  void skipOptions() throws ProtoSyntaxException {
    if (tokens.isAt("[")) {
      skipBraces();
    }
  }

  /** Takes the options of a field in brackets, if there are any. */
  void options(FieldDescriptorProto.Builder field) throws ProtoSyntaxException {
    if (!tokens.accept("[")) {
      return;
    }
    do {
      option(field);
    } while (tokens.accept(","));
    tokens.require("]");
  }

  private void option(FieldDescriptorProto.Builder field) throws ProtoSyntaxException {
    String name = optionName();
    tokens.require("=");
    switch (name) {
      case "json_name" -> field.setJsonName(tokens.text("the JSON name of a field"));
      case "default" -> field.setDefaultValue(scalar());
      case "packed" -> field.getOptionsBuilder().setPacked(scalar().equals("true"));
      default -> skipValue();
    }
  }

  /** The name of an option; empty for one in parentheses, which the language does not know. */
  private String optionName() throws ProtoSyntaxException {
    boolean own = !tokens.isAt("(");
    StringBuilder name = new StringBuilder();
    do {
      if (tokens.accept("(")) {
        tokens.fullName("the name of an option");
        tokens.require(")");
      } else {
        name.append(tokens.name("the name of an option")).append('.');
      }
    } while (tokens.accept("."));
    return own ? name.substring(0, Math.max(0, name.length() - 1)) : "";
  }

  private void skipValue() throws ProtoSyntaxException {
    if (tokens.isAt("{")) {
      skipBraces();
    } else {
      scalar();
    }
  }

  private String scalar() throws ProtoSyntaxException {
    if (tokens.kind() == TokenKind.TEXT) {
      return tokens.text("a value");
    }
    String sign = tokens.accept("-") ? "-" : "";
    if (tokens.kind() == TokenKind.NUMBER) {
      String number = tokens.value();
      tokens.advance();
      return sign + number;
    }
    return sign + tokens.fullName("the value of an option");
  }
}
