package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.registry.InterfaceMapping;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.core.binding.ServicePathTemplate;
import dev.pinion.core.model.Rfc3339;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the registration of one concrete service. */
final class RegisteredServiceReader {
  private static final List<String> KEYS =
      List.of(
          "id",
          "serves",
          "endpoint",
          "idempotent",
          "r",
          "d",
          "c",
          "load",
          "from",
          "until",
          "mapping",
          "stateful",
          "async");

  /** RFC 9110, section 5.6.2. */
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}");

  private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e]*");

  private final DocumentDiagnostics documentDiagnostics;
  private final ExpressionCheck expressions;

  RegisteredServiceReader(DocumentDiagnostics documentDiagnostics, ExpressionCheck expressions) {
    this.documentDiagnostics = documentDiagnostics;
    this.expressions = expressions;
  }

  RegisteredService read(LocatedValue locatedValue) {
    ObjectFields objectFields =
        new ObjectFields(locatedValue, "a service", KEYS, documentDiagnostics);
    ConcreteService promise =
        new ConcreteService(
            name(objectFields, "id"),
            objectFields.number("r", NumberRange.AT_LEAST_0),
            objectFields.number("d", NumberRange.ABOVE_0_TO_1),
            objectFields.number("c", NumberRange.AT_LEAST_0),
            objectFields.bound("load", NumberRange.AT_LEAST_0, Double.POSITIVE_INFINITY));
    Instant from = instant(objectFields.get("from"), "from");
    Instant until = instant(objectFields.get("until"), "until");
    if (from != null && until != null && until.isBefore(from)) {
      documentDiagnostics.expected(
          "a moment that is not before from as until", objectFields.get("until"));
    }
    return new RegisteredService(
        promise,
        serves(objectFields),
        endpoint(objectFields),
        traits(objectFields),
        mapping(objectFields.get("mapping")),
        from,
        until);
  }

  private RegisteredService.Traits traits(ObjectFields objectFields) {
    return new RegisteredService.Traits(
        flag(objectFields.required("idempotent")),
        objectFields.has("stateful") && flag(objectFields.get("stateful")),
        objectFields.has("async") && flag(objectFields.get("async")));
  }

  private String name(ObjectFields objectFields, String key) {
    String name = objectFields.text(key);
    checkName(objectFields.get(key), key);
    return name;
  }

  /** Reports a text that is not a name. */
  void checkName(LocatedValue locatedValue, String what) {
    if (locatedValue.node().isTextual()
        && !locatedValue.node().asText().isEmpty()
        && !RegisteredService.NAME.matcher(locatedValue.node().asText()).matches()) {
      documentDiagnostics.expected(
          "1 to 64 letters, digits, dots, dashes and underscores, a letter or digit first, as "
              + what,
          locatedValue);
    }
  }

  private Set<String> serves(ObjectFields objectFields) {
    Set<String> serves = new LinkedHashSet<>();
    List<LocatedValue> items = objectFields.someItems("serves");
    for (LocatedValue item : items) {
      if (!item.node().isTextual() || item.node().asText().isEmpty()) {
        documentDiagnostics.expected("the name of an abstract service in serves", item);
      }
      checkName(item, "the name of an abstract service");
      if (!serves.add(item.node().asText())) {
        documentDiagnostics.expected("each abstract service once in serves", item);
      }
    }
    if (items.size() > RegisteredService.MAX_SERVES) {
      documentDiagnostics.add(
          objectFields.get("serves"),
          "expected at most "
              + RegisteredService.MAX_SERVES
              + " abstract services in serves, found "
              + items.size());
    }
    return serves;
  }

  private boolean flag(LocatedValue locatedValue) {
    if (locatedValue.isPresent() && !locatedValue.node().isBoolean()) {
      documentDiagnostics.expected("true or false", locatedValue);
    }
    return locatedValue.node().asBoolean();
  }

  private String endpoint(ObjectFields objectFields) {
    String text = objectFields.text("endpoint");
    if (!text.isEmpty() && !isBase(text)) {
      documentDiagnostics.expected(
          "an http or https URI of at most "
              + RegisteredService.MAX_ENDPOINT_CHARS
              + " characters with a host, without user, query, fragment and trailing slash, as"
              + " endpoint",
          objectFields.get("endpoint"));
    }
    return text;
  }

  private static boolean isBase(String text) {
    try {
      URI uri = new URI(text);
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      return isHttp
          && uri.getHost() != null
          && uri.getUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null
          && text.length() <= RegisteredService.MAX_ENDPOINT_CHARS
          && !text.endsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  @Nullable Instant instant(LocatedValue locatedValue, String key) {
    if (!locatedValue.isPresent() || locatedValue.node().isNull()) {
      return null;
    }
    try {
      return Rfc3339.parse(locatedValue.node().isTextual() ? locatedValue.node().asText() : "");
    } catch (DateTimeException e) {
      documentDiagnostics.expected(
          "a moment such as \"2030-01-31T12:00:00Z\" as " + key, locatedValue);
      return null;
    }
  }

  private InterfaceMapping mapping(LocatedValue locatedValue) {
    if (!locatedValue.isPresent()) {
      return InterfaceMapping.NONE;
    }
    ObjectFields objectFields =
        new ObjectFields(
            locatedValue,
            "a mapping",
            List.of("path", "headers", "request", "answer"),
            documentDiagnostics);
    return new InterfaceMapping(
        path(objectFields),
        headers(objectFields.get("headers")),
        expression(objectFields, "request"),
        expression(objectFields, "answer"));
  }

  private @Nullable String path(ObjectFields objectFields) {
    if (!objectFields.has("path")) {
      return null;
    }
    try {
      return new ServicePathTemplate(objectFields.text("path")).toString();
    } catch (IllegalArgumentException e) {
      documentDiagnostics.add(objectFields.get("path"), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private Map<String, String> headers(LocatedValue locatedValue) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (locatedValue.isPresent()
        && (!locatedValue.node().isObject()
            || locatedValue.node().size() > InterfaceMapping.MAX_HEADERS)) {
      documentDiagnostics.expected(
          "an object of at most " + InterfaceMapping.MAX_HEADERS + " header fields as headers",
          locatedValue);
      return headers;
    }
    for (Map.Entry<String, JsonNode> each : locatedValue.node().properties()) {
      LocatedValue value = locatedValue.member(each.getKey());
      String text = each.getValue().asText();
      if (!TOKEN.matcher(each.getKey()).matches()
          || !each.getValue().isTextual()
          || text.length() > InterfaceMapping.MAX_CHARS
          || !VALUE.matcher(text).matches()) {
        documentDiagnostics.expected(
            "a header field with a value of at most "
                + InterfaceMapping.MAX_CHARS
                + " printable ASCII characters",
            value);
      }
      headers.put(each.getKey(), text);
    }
    return headers;
  }

  private @Nullable String expression(ObjectFields objectFields, String key) {
    if (!objectFields.has(key)) {
      return null;
    }
    String source = objectFields.text(key);
    if (source.length() > InterfaceMapping.MAX_CHARS) {
      documentDiagnostics.add(
          objectFields.get(key),
          "expected at most "
              + InterfaceMapping.MAX_CHARS
              + " characters of jq as "
              + key
              + ", found "
              + source.length());
      return source;
    }
    String problem = source.isEmpty() ? null : expressions.problem(source);
    if (problem != null) {
      documentDiagnostics.add(
          objectFields.get(key), "expected jq as " + key + ", found: " + problem);
    }
    return source;
  }
}
