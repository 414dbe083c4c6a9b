package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.GrpcCall;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.protobuf.ProtoMethod;
import dev.pinion.core.protobuf.ProtoServices;
import dev.pinion.core.template.GrpcCallTemplate;
import dev.pinion.core.template.NameValuePairs;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the arguments of {@code call: grpc} (DSL reference, "gRPC Call"), and {@code
 * metadata.pinion.grpc}, which has what the DSL lacks.
 */
final class GrpcCallCompiler {
  /** Key of the hints in the metadata of a task. */
  static final String HINTS = "grpc";

  private static final List<String> KEYS = List.of("proto", "service", "method", "arguments");
  private static final List<String> SERVICE_KEYS =
      List.of("name", "host", "port", "authentication");
  private static final List<String> HINT_KEYS = List.of("tls", "metadata");
  private static final int MAX_PORT = 65_535;
  private static final int TLS_PORT = 443;
  private static final int NO_PORT = -1;

  /** A name, an address of IPv4, or one of IPv6 in brackets. */
  private static final Pattern HOST =
      Pattern.compile("[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?|\\[[0-9A-Fa-f:.]+]");

  private final ExpressionFieldCompiler expressions;
  private final ProtoResources protos;
  private final MessageFieldCheck fieldCheck;
  private final NameValueCompiler named;
  private final Diagnostics diagnostics;

  GrpcCallCompiler(
      ExpressionFieldCompiler expressions, ExternalResources resources, Diagnostics diagnostics) {
    this.expressions = expressions;
    this.protos = new ProtoResources(resources, diagnostics);
    this.fieldCheck = new MessageFieldCheck(diagnostics);
    this.named = new NameValueCompiler(expressions, diagnostics);
    this.diagnostics = diagnostics;
  }

  /**
   * The call that the arguments describe.
   *
   * @param metadata the metadata of the task, or null
   */
  Expression<GrpcCall> compile(
      DocumentValue arguments,
      @Nullable DocumentValue metadata,
      VisibleVariables visibleVariables) {
    Set<String> visible = visibleVariables.ofTask();
    FieldReader fields =
        FieldReader.of(arguments, "the arguments of a gRPC call", KEYS, diagnostics);
    DocumentValue proto = fields.required("proto");
    ProtoServices services = proto == null ? null : protos.services(proto);
    DocumentValue service = fields.required("service");
    FieldReader place =
        service == null
            ? null
            : FieldReader.of(service, "a gRPC service", SERVICE_KEYS, diagnostics);
    DocumentValue name = place == null ? null : place.requiredText("name");
    ProtoMethod method = method(services, name, fields.requiredText("method"));
    DocumentValue values = fields.get("arguments");
    Expression<Payload> content = values == null ? null : content(values, method, visible);
    FieldReader hints = hints(metadata);
    GrpcCall.Service where = place == null ? null : where(place, hints);
    NameValuePairs pairs =
        named.compile(
            hints == null ? null : hints.get("metadata"),
            visible,
            GrpcCallTemplate::metadataProblem);
    return method == null || where == null
        ? Placeholders.expression()
        : new GrpcCallTemplate(method, where, pairs, content);
  }

  private @Nullable ProtoMethod method(
      @Nullable ProtoServices services,
      @Nullable DocumentValue service,
      @Nullable DocumentValue method) {
    if (services == null || service == null) {
      return null;
    }
    if (!services.has(service.text())) {
      unknown(service, "a service of the proto", services.names());
      return null;
    }
    if (method == null) {
      return null;
    }
    ProtoMethod found = services.method(service.text(), method.text());
    if (found == null) {
      unknown(method, "a method of " + service.text(), services.methods(service.text()));
    } else if (found.streamsArguments()) {
      diagnostics.value(
          method,
          "expected a method that takes one message, found \""
              + ValueDescription.shorten(method.text())
              + "\", which takes a stream of them");
    }
    return found;
  }

  private void unknown(DocumentValue value, String what, List<String> known) {
    diagnostics.value(
        value,
        "expected "
            + what
            + " ("
            + KnownNames.listed(known)
            + "), found "
            + ValueDescription.describe(value.json()),
        () -> SpellingSuggestion.of(value.text(), known));
  }

  private Expression<Payload> content(
      DocumentValue values, @Nullable ProtoMethod method, Set<String> visible) {
    if (!values.isObject() && !ExpressionFieldCompiler.isEnclosed(values)) {
      diagnostics.expected(values, "an object or an expression within ${ } as \"arguments\"");
      return Placeholders.expression();
    }
    if (method != null && method.request().isPlain()) {
      fieldCheck.check(values, method.request());
    }
    return ExpressionFieldCompiler.located(
        values, GrpcCallTemplate.argumentsOf(expressions.template(values, visible)));
  }

  private @Nullable FieldReader hints(@Nullable DocumentValue metadata) {
    DocumentValue hints = MetadataHints.ofCall(metadata, HINTS);
    return hints == null
        ? null
        : FieldReader.of(hints, "metadata.pinion.grpc", HINT_KEYS, diagnostics);
  }

  private GrpcCall.@Nullable Service where(FieldReader place, @Nullable FieldReader hints) {
    DocumentValue host = place.requiredText("host");
    int port = (int) place.integer("port", 1, MAX_PORT, NO_PORT);
    DocumentValue authentication = place.get("authentication");
    if (authentication != null) {
      diagnostics.notSupportedYet(authentication, "authentication");
    }
    boolean told = hints != null && hints.has("tls");
    boolean tls = told ? hints.flag("tls") : port == NO_PORT || port == TLS_PORT;
    if (host == null) {
      return null;
    }
    if (!HOST.matcher(host.text()).matches()) {
      diagnostics.expected(host, "a host name without scheme, port and path");
    }
    if (port == NO_PORT && !tls && !place.has("port")) {
      diagnostics.key(place.owner(), "expected \"port\" of a gRPC service without TLS, found none");
    }
    return new GrpcCall.Service(host.text(), port == NO_PORT ? TLS_PORT : port, tls);
  }
}
