package dev.pinion.core.protobuf;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads one message of a {@code .proto} file with everything in it. */
final class ProtoMessageReader {
  /** Messages inside each other; one more than the compiler of Protocol Buffers allows. */
  private static final int MAX_NESTING = 33;

  private static final int NO_ONEOF = -1;

  private static final Map<String, Type> SCALARS =
      Map.ofEntries(
          Map.entry("double", Type.TYPE_DOUBLE),
          Map.entry("float", Type.TYPE_FLOAT),
          Map.entry("int32", Type.TYPE_INT32),
          Map.entry("int64", Type.TYPE_INT64),
          Map.entry("uint32", Type.TYPE_UINT32),
          Map.entry("uint64", Type.TYPE_UINT64),
          Map.entry("sint32", Type.TYPE_SINT32),
          Map.entry("sint64", Type.TYPE_SINT64),
          Map.entry("fixed32", Type.TYPE_FIXED32),
          Map.entry("fixed64", Type.TYPE_FIXED64),
          Map.entry("sfixed32", Type.TYPE_SFIXED32),
          Map.entry("sfixed64", Type.TYPE_SFIXED64),
          Map.entry("bool", Type.TYPE_BOOL),
          Map.entry("string", Type.TYPE_STRING),
          Map.entry("bytes", Type.TYPE_BYTES));

  private final ProtoDeclarations declarations;
  private final ProtoTokens tokens;
  private final String fullName;
  private final int depth;
  private final DescriptorProto.Builder message;

  /** Indexes of the fields whose presence the third version of the language tells. */
  private final List<Integer> optional = new ArrayList<>();

  private ProtoMessageReader(
      ProtoDeclarations declarations, String fullName, String name, int depth) {
    this.declarations = declarations;
    this.tokens = declarations.tokens();
    this.fullName = fullName;
    this.depth = depth;
    this.message = DescriptorProto.newBuilder().setName(name);
  }

  /**
   * Reads a message from its keyword on.
   *
   * @param outer full name of what is around it
   * @param depth number of messages around it
   */
  static DescriptorProto read(ProtoDeclarations declarations, String outer, int depth)
      throws ProtoSyntaxException {
    ProtoTokens tokens = declarations.tokens();
    tokens.require("message");
    int at = tokens.offset();
    String name = tokens.name("the name of a message");
    return body(declarations, outer, name, at, depth);
  }

  private static DescriptorProto body(
      ProtoDeclarations declarations, String outer, String name, int at, int depth)
      throws ProtoSyntaxException {
    if (depth >= MAX_NESTING) {
      throw declarations
          .tokens()
          .problem(at, "expected at most " + MAX_NESTING + " messages inside each other");
    }
    String fullName = ProtoDeclarations.within(outer, name);
    declarations.declare(fullName, at);
    return new ProtoMessageReader(declarations, fullName, name, depth).members();
  }

  private DescriptorProto members() throws ProtoSyntaxException {
    tokens.require("{");
    while (!tokens.accept("}")) {
      member();
    }
    addOneofsOfOptional();
    return message.build();
  }

  private void member() throws ProtoSyntaxException {
    if (tokens.isAt("message")) {
      message.addNestedType(read(declarations, fullName, depth + 1));
    } else if (tokens.isAt("enum")) {
      message.addEnumType(new ProtoEnumReader(declarations).read(fullName));
    } else if (tokens.isAt("extend")) {
      declarations.skipBlock();
    } else if (tokens.isAt("option")
        || tokens.isAt("reserved")
        || tokens.isAt("extensions")) {
      declarations.skipStatement();
    } else if (tokens.isAt("oneof")) {
      oneof();
    } else if (tokens.accept("map")) {
      map();
    } else if (!tokens.accept(";")) {
      field();
    }
  }

  private void field() throws ProtoSyntaxException {
    boolean tellsPresence = false;
    Label label = Label.LABEL_OPTIONAL;
    if (tokens.accept("repeated")) {
      label = Label.LABEL_REPEATED;
    } else if (!declarations.isProto3() && tokens.accept("required")) {
      label = Label.LABEL_REQUIRED;
    } else if (tokens.accept("optional")) {
      tellsPresence = declarations.isProto3();
    } else if (!declarations.isProto3()) {
      throw tokens.expected("optional, required or repeated before a field (syntax proto2)");
    }
    if (tellsPresence) {
      optional.add(message.getFieldCount());
    }
    typed(label, NO_ONEOF);
  }

  private void oneof() throws ProtoSyntaxException {
    tokens.require("oneof");
    int at = tokens.offset();
    String name = tokens.name("the name of a oneof");
    declarations.declare(ProtoDeclarations.within(fullName, name), at);
    int index = message.getOneofDeclCount();
    message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(name));
    tokens.require("{");
    while (!tokens.accept("}")) {
      if (tokens.isAt("option")) {
        declarations.skipStatement();
      } else if (!tokens.accept(";")) {
        typed(Label.LABEL_OPTIONAL, index);
      }
    }
  }

  private void typed(Label label, int oneof) throws ProtoSyntaxException {
    FieldDescriptorProto.Builder field = FieldDescriptorProto.newBuilder().setLabel(label);
    if (oneof != NO_ONEOF) {
      field.setOneofIndex(oneof);
    }
    if (!declarations.isProto3() && tokens.accept("group")) {
      group(field);
      return;
    }
    setType(field, tokens.fullName("the type of a field"));
    nameAndNumber(field);
    declarations.options(field);
    tokens.require(";");
    message.addField(field);
  }

  private int nameAndNumber(FieldDescriptorProto.Builder field) throws ProtoSyntaxException {
    int at = tokens.offset();
    String name = tokens.name("the name of a field");
    tokens.require("=");
    field.setName(name).setNumber(tokens.integer("the number of field " + name));
    declarations.declare(ProtoDeclarations.within(fullName, name), at);
    return at;
  }

  private static void setType(FieldDescriptorProto.Builder field, String type) {
    Type scalar = SCALARS.get(type);
    if (scalar == null) {
      field.setTypeName(type); // of a message or an enumeration: known when names are resolved
    } else {
      field.setType(scalar);
    }
  }

  /** A group of the second version: a message and a field of it at once. */
  private void group(FieldDescriptorProto.Builder field) throws ProtoSyntaxException {
    int at = nameAndNumber(field);
    String name = field.getName();
    declarations.skipOptions();
    field.setName(name.toLowerCase(Locale.ROOT)).setType(Type.TYPE_GROUP).setTypeName(name);
    message.addField(field);
    message.addNestedType(body(declarations, fullName, name, at, depth + 1));
  }

  /** A map: a repeated field of messages with a key and a value. */
  private void map() throws ProtoSyntaxException {
    tokens.require("<");
    FieldDescriptorProto.Builder key = entryField("key", 1);
    tokens.require(",");
    FieldDescriptorProto.Builder value = entryField("value", 2);
    tokens.require(">");
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder().setLabel(Label.LABEL_REPEATED);
    nameAndNumber(field);
    declarations.options(field);
    tokens.require(";");
    String entry = entryName(field.getName());
    message.addField(field.setType(Type.TYPE_MESSAGE).setTypeName(entry));
    message.addNestedType(
        DescriptorProto.newBuilder()
            .setName(entry)
            .setOptions(MessageOptions.newBuilder().setMapEntry(true))
            .addField(key)
            .addField(value));
  }

  private FieldDescriptorProto.Builder entryField(String name, int number)
      throws ProtoSyntaxException {
    FieldDescriptorProto.Builder field =
        FieldDescriptorProto.newBuilder()
            .setName(name)
            .setNumber(number)
            .setLabel(Label.LABEL_OPTIONAL);
    setType(field, tokens.fullName("the type of a map's " + name));
    return field;
  }

  /** Name of the message of a map's entries: that of the field in camel case, and a suffix. */
  private static String entryName(String field) {
    StringBuilder name = new StringBuilder();
    boolean upper = true;
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      if (c == '_') {
        upper = true;
      } else {
        name.append(upper ? Character.toUpperCase(c) : c);
        upper = false;
      }
    }
    return name.append("Entry").toString();
  }

  /** A field that tells its presence is the only one of a oneof; these follow all others. */
  private void addOneofsOfOptional() {
    Set<String> taken = new HashSet<>();
    message.getFieldList().forEach(each -> taken.add(each.getName()));
    message.getOneofDeclList().forEach(each -> taken.add(each.getName()));
    for (int index : optional) {
      FieldDescriptorProto.Builder field = message.getFieldBuilder(index);
      StringBuilder name = new StringBuilder("_").append(field.getName());
      while (!taken.add(name.toString())) {
        name.insert(0, 'X');
      }
      field.setProto3Optional(true).setOneofIndex(message.getOneofDeclCount());
      message.addOneofDecl(OneofDescriptorProto.newBuilder().setName(name.toString()));
    }
  }
}
