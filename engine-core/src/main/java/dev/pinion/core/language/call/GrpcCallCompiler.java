package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.call.DeferredParts.DeferredInput;
import dev.pinion.core.language.call.HttpCallCompiler.CarrierParts;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.field.ExpressionFieldCompiler;
import dev.pinion.core.language.field.FieldReader;
import dev.pinion.core.language.field.KnownNames;
import dev.pinion.core.language.field.MetadataHints;
import dev.pinion.core.language.field.Placeholders;
import dev.pinion.core.language.field.VisibleVariables;
import dev.pinion.core.language.reference.ExternalResources;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.SpellingSuggestion;
import dev.pinion.core.model.call.GrpcCall;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.protobuf.ProtoMethod;
import dev.pinion.core.protobuf.ProtoServices;
import dev.pinion.core.template.GrpcCallTemplate;
import dev.pinion.core.template.HttpCallTemplate;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the arguments of {@code call: grpc} (DSL reference, "gRPC Call"), and {@code
 * metadata.pinion.grpc}, which has what the DSL lacks.
 */
final class GrpcCallCompiler {
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

  private final HttpCallCompiler http;
  private final ProtoResources protos;
  private final MessageFieldCheck fieldCheck;
  private final Diagnostics diagnostics;

  /**
   * A compiler.
   *
   * @param http compiles the request that carries a call
   */
  GrpcCallCompiler(HttpCallCompiler http, ExternalResources resources, Diagnostics diagnostics) {
    this.http = http;
    this.protos = new ProtoResources(resources, diagnostics);
    this.fieldCheck = new MessageFieldCheck(diagnostics);
    this.diagnostics = diagnostics;
  }

  /**
   * The call that the arguments describe.
   *
   * @param metadata the metadata of the task, or null
   * @param input {@code input.from} when it uses secrets, else null
   */
  Expression<GrpcCall> compile(
      DocumentValue arguments,
      @Nullable DocumentValue metadata,
      VisibleVariables visible,
      @Nullable DeferredInput input) {
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
    DocumentValue values = checked(fields.get("arguments"), method);
    FieldReader hints = hints(metadata);
    String origin = place == null ? null : origin(place, hints);
    Expression<HttpCall> request =
        http.carrier(
            arguments.pointer(),
            new CarrierParts(
                "gRPC",
                method == null ? "" : origin + "/" + method.service() + "/" + method.name(),
                null,
                place == null ? null : place.get("authentication"),
                hints == null ? null : named(hints.get("metadata")),
                values),
            visible,
            input);
    return method == null
        ? Placeholders.expression()
        : new GrpcCallTemplate(
            method, request, values == null ? "" : ExpressionFieldCompiler.location(values));
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

  /** The arguments, if they can be those of a method. */
  private @Nullable DocumentValue checked(
      @Nullable DocumentValue values, @Nullable ProtoMethod method) {
    if (values == null) {
      return null;
    }
    if (!http.mayBeObject(values)) {
      diagnostics.expected(values, "an object or an expression within ${ } as \"arguments\"");
      return null;
    }
    if (method != null && method.request().isPlain()) {
      fieldCheck.check(values, method.request());
    }
    return values;
  }

  /** The metadata; names that the protocol lacks are reported, the others are header fields. */
  private @Nullable DocumentValue named(@Nullable DocumentValue metadata) {
    if (metadata != null) {
      for (DocumentValue entry : metadata.members()) {
        String problem = GrpcCallTemplate.metadataProblem(entry.name());
        if (problem != null && HttpCallTemplate.headerProblem(entry.name()) == null) {
          diagnostics.key(entry, problem);
        }
      }
    }
    return metadata;
  }

  private @Nullable FieldReader hints(@Nullable DocumentValue metadata) {
    DocumentValue hints = MetadataHints.ofCall(metadata, MetadataHints.GRPC);
    return hints == null
        ? null
        : FieldReader.of(hints, "metadata.pinion.grpc", HINT_KEYS, diagnostics);
  }

  /** Scheme, host and port of a service; empty where one was reported. */
  private String origin(FieldReader place, @Nullable FieldReader hints) {
    DocumentValue host = place.requiredText("host");
    int port = (int) place.integer("port", 1, MAX_PORT, NO_PORT);
    boolean tls =
        (hints != null && hints.has("tls"))
            ? hints.flag("tls")
            : port == NO_PORT || port == TLS_PORT;
    if (host == null) {
      return "";
    }
    if (!HOST.matcher(host.text()).matches()) {
      diagnostics.expected(host, "a host name without scheme, port and path");
    }
    if (!tls && !place.has("port") && !place.isMisspelt("port")) {
      diagnostics.key(place.owner(), "expected \"port\" of a gRPC service without TLS, found none");
    }
    return (tls ? "https://" : "http://") + host.text() + ":" + (port == NO_PORT ? TLS_PORT : port);
  }
}
