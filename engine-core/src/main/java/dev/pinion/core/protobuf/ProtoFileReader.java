package dev.pinion.core.protobuf;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import dev.pinion.core.protobuf.ProtoFile.ImportStatement;
import dev.pinion.core.protobuf.ProtoTokens.TokenKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads {@code .proto} files of the second and third version of their language. What describes
 * neither messages nor services is left out: options other than those of the JSON form,
 * extensions, reserved names.
 */
final class ProtoFileReader {
  private final ProtoDocument document;
  private final ProtoTokens tokens;
  private final ProtoDeclarations declarations;
  private final FileDescriptorProto.Builder file;
  private final List<ImportStatement> imports = new ArrayList<>();

  private ProtoFileReader(ProtoDocument document) throws ProtoSyntaxException {
    this.document = document;
    this.tokens = new ProtoTokens(document);
    this.declarations = new ProtoDeclarations(tokens);
    this.file = FileDescriptorProto.newBuilder().setName(document.name());
  }

  /** Reads a file. */
  static ProtoFile read(ProtoDocument document) throws ProtoSyntaxException {
    return new ProtoFileReader(document).read();
  }

  private ProtoFile read() throws ProtoSyntaxException {
    syntax();
    while (tokens.kind() != TokenKind.END) {
      statement();
    }
    return new ProtoFile(document, file.build(), imports, declarations.places());
  }

  private void syntax() throws ProtoSyntaxException {
    if (tokens.isAt("edition")) {
      throw tokens.problem(
          tokens.offset(), "expected syntax \"proto2\" or \"proto3\", found an edition");
    }
    if (!tokens.accept("syntax")) {
      return; // the second version, as files of the first years
    }
    tokens.require("=");
    int at = tokens.offset();
    String version = tokens.text("proto2 or proto3");
    tokens.require(";");
    if (version.equals("proto3")) {
      file.setSyntax(version);
      declarations.setProto3();
    } else if (!version.equals("proto2")) {
      throw tokens.problem(
          at, "expected syntax \"proto2\" or \"proto3\", found \"" + version + '"');
    }
  }

  private void statement() throws ProtoSyntaxException {
    if (tokens.accept("import")) {
      imported();
    } else if (tokens.accept("package")) {
      file.setPackage(tokens.fullName("the name of a package"));
      tokens.require(";");
    } else if (tokens.isAt("message")) {
      file.addMessageType(ProtoMessageReader.read(declarations, file.getPackage(), 0));
    } else if (tokens.isAt("enum")) {
      file.addEnumType(new ProtoEnumReader(declarations).read(file.getPackage()));
    } else if (tokens.isAt("service")) {
      file.addService(service());
    } else if (tokens.isAt("option")) {
      declarations.skipStatement();
    } else if (tokens.isAt("extend")) {
      declarations.skipBlock();
    } else if (!tokens.accept(";")) {
      throw tokens.expected("import, package, option, message, enum, extend or service");
    }
  }

  private void imported() throws ProtoSyntaxException {
    boolean isPublic = tokens.accept("public");
    if (!isPublic) {
      tokens.accept("weak");
    }
    int at = tokens.offset();
    String path = tokens.text("the path of an import");
    tokens.require(";");
    if (imports.stream().anyMatch(each -> each.path().equals(path))) {
      throw tokens.problem(at, "expected each import once, found \"" + path + "\" again");
    }
    if (isPublic) {
      file.addPublicDependency(imports.size());
    }
    file.addDependency(path);
    imports.add(new ImportStatement(path, at));
  }

  private ServiceDescriptorProto service() throws ProtoSyntaxException {
    tokens.require("service");
    int at = tokens.offset();
    String name = tokens.name("the name of a service");
    String fullName = ProtoDeclarations.within(file.getPackage(), name);
    declarations.declare(fullName, at);
    ServiceDescriptorProto.Builder service = ServiceDescriptorProto.newBuilder().setName(name);
    tokens.require("{");
    while (!tokens.accept("}")) {
      if (tokens.isAt("option")) {
        declarations.skipStatement();
      } else if (!tokens.accept(";")) {
        service.addMethod(method(fullName));
      }
    }
    return service.build();
  }

  private MethodDescriptorProto method(String service) throws ProtoSyntaxException {
    tokens.require("rpc");
    int at = tokens.offset();
    MethodDescriptorProto.Builder method =
        MethodDescriptorProto.newBuilder().setName(tokens.name("the name of a method"));
    declarations.declare(ProtoDeclarations.within(service, method.getName()), at);
    tokens.require("(");
    method.setClientStreaming(tokens.accept("stream"));
    method.setInputType(tokens.fullName("the type of a message"));
    tokens.require(")");
    tokens.require("returns");
    tokens.require("(");
    method.setServerStreaming(tokens.accept("stream"));
    method.setOutputType(tokens.fullName("the type of a message"));
    tokens.require(")");
    if (tokens.isAt("{")) {
      declarations.skipBlock();
    } else {
      tokens.require(";");
    }
    return method.build();
  }
}
