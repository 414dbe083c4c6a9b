package dev.pinion.core.protobuf;

import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;

/** Reads enumerations of {@code .proto} files. */
final class ProtoEnumReader {
  private final ProtoDeclarations declarations;
  private final ProtoTokens tokens;

  ProtoEnumReader(ProtoDeclarations declarations) {
    this.declarations = declarations;
    this.tokens = declarations.tokens();
  }

  /**
   * Reads an enumeration from its keyword on.
   *
   * @param outer full name of what is around it
   */
  EnumDescriptorProto read(String outer) throws ProtoSyntaxException {
    tokens.require("enum");
    int at = tokens.offset();
    String name = tokens.name("the name of an enumeration");
    declarations.declare(ProtoDeclarations.within(outer, name), at);
    EnumDescriptorProto.Builder enumeration = EnumDescriptorProto.newBuilder().setName(name);
    tokens.require("{");
    while (!tokens.accept("}")) {
      if (tokens.isAt("option") || tokens.isAt("reserved")) {
        declarations.skipStatement();
      } else if (!tokens.accept(";")) {
        enumeration.addValue(value(outer));
      }
    }
    return enumeration.build();
  }

  /** A value, whose name stands beside that of its enumeration. */
  private EnumValueDescriptorProto value(String outer) throws ProtoSyntaxException {
    int at = tokens.offset();
    String name = tokens.name("the name of a value");
    declarations.declare(ProtoDeclarations.within(outer, name), at);
    tokens.require("=");
    int number = tokens.integer("the number of " + name);
    declarations.skipOptions();
    tokens.require(";");
    return EnumValueDescriptorProto.newBuilder().setName(name).setNumber(number).build();
  }
}
