package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.call.MessageProtocol;
import dev.pinion.core.template.ConstantExpressions;
import dev.pinion.core.template.MessageAddress;
import dev.pinion.core.template.MessageServerTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Chooses the server of a call (DSL reference, "AsyncAPI Server") and fills in its variables. */
final class AsyncApiServers {
  private static final List<String> KEYS = List.of("name", "variables");

  private final AsyncApiDocument document;
  private final ExpressionFieldCompiler expressions;
  private final Diagnostics diagnostics;

  AsyncApiServers(
      AsyncApiDocument document, ExpressionFieldCompiler expressions, Diagnostics diagnostics) {
    this.document = document;
    this.expressions = expressions;
    this.diagnostics = diagnostics;
  }

  private record NamedServer(String name, DocumentValue value) {}

  /** The server that the arguments name or leave open, or null when there is none: reported. */
  @Nullable MessageServerTemplate choose(
      FieldReader arguments, AsyncApiTarget target, VisibleVariables visible) {
    DocumentValue protocol = protocol(arguments);
    DocumentValue server = arguments.get("server");
    FieldReader named =
        server == null ? null : FieldReader.of(server, "an AsyncAPI server", KEYS, diagnostics);
    List<NamedServer> all = all();
    List<NamedServer> ofChannel = ofChannel(target.channel(), all);
    if (named != null) {
      DocumentValue name = named.requiredText("name");
      DocumentValue values = named.object("variables");
      return name == null ? null : named(name, values, byName(name, all, ofChannel), visible);
    }
    NamedServer chosen = first(arguments.owner(), ofChannel, protocol);
    return chosen == null
        ? null
        : template(chosen, protocol == null ? arguments.owner() : protocol, null, visible);
  }

  private @Nullable MessageServerTemplate named(
      DocumentValue name,
      @Nullable DocumentValue values,
      @Nullable NamedServer chosen,
      VisibleVariables visible) {
    return chosen == null ? null : template(chosen, name, values, visible);
  }

  private @Nullable DocumentValue protocol(FieldReader arguments) {
    DocumentValue protocol = arguments.text("protocol");
    if (protocol != null && !AsyncApiProtocols.OF_CALLS.contains(protocol.text())) {
      diagnostics.value(
          protocol,
          "expected one of "
              + String.join(", ", AsyncApiProtocols.OF_CALLS)
              + ", found "
              + ValueDescription.describe(protocol.json()),
          () -> SpellingSuggestion.of(protocol.text(), AsyncApiProtocols.OF_CALLS));
      return null;
    }
    return protocol;
  }

  private List<NamedServer> all() {
    List<NamedServer> all = new ArrayList<>();
    document
        .section("servers")
        .forEach(
            (name, server) -> {
              DocumentValue found = document.resolved(server);
              if (found != null) {
                all.add(new NamedServer(name, found));
              }
            });
    return all;
  }

  /** The servers that have a channel, in its order: all, unless it names some. */
  private List<NamedServer> ofChannel(DocumentValue channel, List<NamedServer> all) {
    DocumentValue servers = document.member(channel, "servers");
    if (servers == null || servers.items().isEmpty()) {
      return all;
    }
    List<String> wanted = new ArrayList<>();
    for (DocumentValue item : servers.items()) {
      DocumentValue server = item.isText() ? null : document.resolved(item);
      if (item.isText()) {
        wanted.add(item.text());
      } else if (server != null) {
        wanted.add(server.pointer());
      }
    }
    return wanted.stream()
        .flatMap(
            one ->
                all.stream()
                    .filter(each -> each.name().equals(one) || each.value().pointer().equals(one)))
        .distinct()
        .toList();
  }

  private @Nullable NamedServer byName(
      DocumentValue name, List<NamedServer> all, List<NamedServer> ofChannel) {
    for (NamedServer each : ofChannel) {
      if (each.name().equals(name.text())) {
        return each;
      }
    }
    boolean elsewhere = all.stream().anyMatch(each -> each.name().equals(name.text()));
    List<String> known = ofChannel.stream().map(NamedServer::name).toList();
    diagnostics.value(
        name,
        "expected a server "
            + (elsewhere ? "that has the channel (" : "of the document (")
            + KnownNames.listed(known)
            + "), found "
            + ValueDescription.describe(name.json()),
        () -> SpellingSuggestion.of(name.text(), known));
    return null;
  }

  /** The first server that fits; of several, one whose protocol this engine speaks. */
  private @Nullable NamedServer first(
      DocumentValue arguments, List<NamedServer> servers, @Nullable DocumentValue protocol) {
    List<NamedServer> fitting =
        servers.stream().filter(each -> protocol == null || fits(each, protocol.text())).toList();
    if (fitting.isEmpty()) {
      String found = servers.isEmpty() ? "none" : KnownNames.listed(protocols(servers));
      diagnostics.value(
          protocol == null ? arguments : protocol,
          protocol == null
              ? "expected a document with a server that has the channel, found " + found
              : "expected the protocol of a server that has the channel ("
                  + found
                  + "), found "
                  + ValueDescription.describe(protocol.json()));
      return null;
    }
    return fitting.stream()
        .filter(each -> protocolOf(each) != null)
        .findFirst()
        .orElse(fitting.getFirst());
  }

  private boolean fits(NamedServer server, String protocol) {
    return AsyncApiProtocols.fits(
        word(server), document.text(server.value(), "protocolVersion"), protocol);
  }

  private List<String> protocols(List<NamedServer> servers) {
    return servers.stream().map(this::word).distinct().toList();
  }

  private String word(NamedServer server) {
    return Objects.requireNonNullElse(document.text(server.value(), "protocol"), "");
  }

  private @Nullable MessageProtocol protocolOf(NamedServer server) {
    return AsyncApiProtocols.of(word(server), document.text(server.value(), "protocolVersion"));
  }

  private @Nullable MessageServerTemplate template(
      NamedServer server,
      DocumentValue place,
      @Nullable DocumentValue values,
      VisibleVariables visible) {
    String word = word(server);
    MessageProtocol protocol = protocolOf(server);
    if (protocol == null) {
      diagnostics.value(
          place,
          "a call over "
              + (word.isEmpty() ? "no protocol" : word)
              + " (server \""
              + ValueDescription.shorten(server.name())
              + "\") is not supported, as this engine has no client for it: expected a server whose"
              + " protocol is one of "
              + AsyncApiProtocols.SPOKEN);
      return null;
    }
    String address = address(server.value());
    if (address == null) {
      return null;
    }
    Map<String, MessageServerTemplate.ServerVariable> variables =
        variables(server, address, place, values, visible);
    if (variables == null) {
      return null;
    }
    MessageServerTemplate template =
        new MessageServerTemplate(address, variables, protocol, AsyncApiProtocols.isSecure(word));
    check(server, template);
    return template;
  }

  /** Host and path, or the URL in generation 2. */
  private @Nullable String address(DocumentValue server) {
    String key = document.isSecond() ? "url" : "host";
    String host = document.text(server, key);
    if (host == null) {
      document
          .diagnostics()
          .value(server, "expected \"" + key + "\" in a server that is called, found none");
      return null;
    }
    String path = document.isSecond() ? null : document.text(server, "pathname");
    if (path == null || path.isEmpty()) {
      return host;
    }
    return host + (path.startsWith("/") ? path : "/" + path);
  }

  /** Reports an address without variables that is none. */
  private void check(NamedServer server, MessageServerTemplate template) {
    if (!template.variables().isEmpty()) {
      return;
    }
    try {
      MessageServerTemplate.parse(template.address(), template.protocol(), template.secure());
    } catch (IllegalArgumentException e) {
      document.diagnostics().value(server.value(), String.valueOf(e.getMessage()));
    }
  }

  private @Nullable Map<String, MessageServerTemplate.ServerVariable> variables(
      NamedServer server,
      String address,
      DocumentValue place,
      @Nullable DocumentValue values,
      VisibleVariables visible) {
    Map<String, DocumentValue> given = AsyncApiDocument.members(values);
    Map<String, DocumentValue> declared =
        AsyncApiDocument.members(document.member(server.value(), "variables"));
    for (DocumentValue each : given.values()) {
      if (!declared.containsKey(each.name())) {
        diagnostics.key(
            each,
            "expected a variable of the server ("
                + KnownNames.listed(declared.keySet())
                + "), found \""
                + ValueDescription.shorten(each.name())
                + "\"");
      }
    }
    Map<String, MessageServerTemplate.ServerVariable> variables = new LinkedHashMap<>();
    for (String name : MessageAddress.names(address)) {
      DocumentValue declaration = declared.get(name);
      MessageServerTemplate.ServerVariable variable =
          variable(
              given.get(name),
              declaration == null ? null : document.resolved(declaration),
              visible);
      if (variable == null) {
        diagnostics.value(
            place,
            "expected a value of the variable \""
                + name
                + "\" of the server \""
                + ValueDescription.shorten(server.name())
                + "\", which has no default: name it in \"server.variables\"");
        return null;
      }
      variables.put(name, variable);
    }
    return variables;
  }

  private MessageServerTemplate.@Nullable ServerVariable variable(
      @Nullable DocumentValue given,
      @Nullable DocumentValue declaration,
      VisibleVariables visible) {
    List<String> allowed =
        document.items(document.member(declaration, "enum")).stream()
            .map(DocumentValue::text)
            .toList();
    if (given != null) {
      boolean constant = given.isText() && !ExpressionFieldCompiler.isEnclosed(given);
      if (constant && !allowed.isEmpty() && !allowed.contains(given.text())) {
        diagnostics.value(
            given,
            "expected one of "
                + KnownNames.listed(allowed)
                + ", found "
                + ValueDescription.describe(given.json()),
            () -> SpellingSuggestion.of(given.text(), allowed));
      }
      Expression<Payload> value = expressions.template(given, visible.ofTask());
      return new MessageServerTemplate.ServerVariable(value, allowed);
    }
    String otherwise = document.text(declaration, "default");
    return otherwise == null
        ? null
        : new MessageServerTemplate.ServerVariable(
            ConstantExpressions.of(Payload.of(otherwise)), List.of());
  }
}
