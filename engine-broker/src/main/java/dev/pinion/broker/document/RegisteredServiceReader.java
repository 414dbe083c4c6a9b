package dev.pinion.broker.document;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.broker.model.ConcreteService;
import dev.pinion.broker.registry.Mapping;
import dev.pinion.broker.registry.RegisteredService;
import dev.pinion.core.model.Rfc3339;
import dev.pinion.core.model.ServicePath;
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

  private final Problems problems;
  private final ExpressionCheck expressions;

  RegisteredServiceReader(Problems problems, ExpressionCheck expressions) {
    this.problems = problems;
    this.expressions = expressions;
  }

  RegisteredService read(Part part) {
    Fields fields = new Fields(part, "a service", KEYS, problems);
    ConcreteService promise =
        new ConcreteService(
            name(fields, "id"),
            fields.number("r", Span.AT_LEAST_0),
            fields.number("d", Span.ABOVE_0_TO_1),
            fields.number("c", Span.AT_LEAST_0),
            fields.bound("load", Span.AT_LEAST_0, Double.POSITIVE_INFINITY));
    Instant from = instant(fields.get("from"), "from");
    Instant until = instant(fields.get("until"), "until");
    if (from != null && until != null && until.isBefore(from)) {
      problems.expected("a moment that is not before from as until", fields.get("until"));
    }
    return new RegisteredService(
        promise,
        serves(fields),
        endpoint(fields),
        flag(fields.required("idempotent")),
        mapping(fields.get("mapping")),
        from,
        until,
        fields.has("stateful") && flag(fields.get("stateful")),
        fields.has("async") && flag(fields.get("async")));
  }

  private String name(Fields fields, String key) {
    String name = fields.text(key);
    checkName(fields.get(key), key);
    return name;
  }

  /** Reports a text that is not a name. */
  void checkName(Part part, String what) {
    if (part.node().isTextual()
        && !part.node().asText().isEmpty()
        && !RegisteredService.NAME.matcher(part.node().asText()).matches()) {
      problems.expected(
          "1 to 64 letters, digits, dots, dashes and underscores, a letter or digit first, as "
              + what,
          part);
    }
  }

  private Set<String> serves(Fields fields) {
    Set<String> serves = new LinkedHashSet<>();
    List<Part> items = fields.someItems("serves");
    for (Part item : items) {
      if (!item.node().isTextual() || item.node().asText().isEmpty()) {
        problems.expected("the name of an abstract service in serves", item);
      }
      checkName(item, "the name of an abstract service");
      if (!serves.add(item.node().asText())) {
        problems.expected("each abstract service once in serves", item);
      }
    }
    if (items.size() > RegisteredService.MAX_SERVES) {
      problems.add(
          fields.get("serves"),
          "expected at most "
              + RegisteredService.MAX_SERVES
              + " abstract services in serves, found "
              + items.size());
    }
    return serves;
  }

  private boolean flag(Part part) {
    if (part.isThere() && !part.node().isBoolean()) {
      problems.expected("true or false", part);
    }
    return part.node().asBoolean();
  }

  private String endpoint(Fields fields) {
    String text = fields.text("endpoint");
    if (!text.isEmpty() && !isBase(text)) {
      problems.expected(
          "an http or https URI of at most "
              + RegisteredService.MAX_ENDPOINT_CHARS
              + " characters with a host, without user, query, fragment and trailing slash, as"
              + " endpoint",
          fields.get("endpoint"));
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

  @Nullable Instant instant(Part part, String key) {
    if (!part.isThere() || part.node().isNull()) {
      return null;
    }
    try {
      return Rfc3339.parse(part.node().isTextual() ? part.node().asText() : "");
    } catch (DateTimeException e) {
      problems.expected("a moment such as \"2030-01-31T12:00:00Z\" as " + key, part);
      return null;
    }
  }

  private Mapping mapping(Part part) {
    if (!part.isThere()) {
      return Mapping.NONE;
    }
    Fields fields =
        new Fields(part, "a mapping", List.of("path", "headers", "request", "answer"), problems);
    return new Mapping(
        path(fields),
        headers(fields.get("headers")),
        expression(fields, "request"),
        expression(fields, "answer"));
  }

  private @Nullable String path(Fields fields) {
    if (!fields.has("path")) {
      return null;
    }
    try {
      return new ServicePath(fields.text("path")).toString();
    } catch (IllegalArgumentException e) {
      problems.add(fields.get("path"), String.valueOf(e.getMessage()));
      return null;
    }
  }

  private Map<String, String> headers(Part part) {
    Map<String, String> headers = new LinkedHashMap<>();
    if (part.isThere() && (!part.node().isObject() || part.node().size() > Mapping.MAX_HEADERS)) {
      problems.expected(
          "an object of at most " + Mapping.MAX_HEADERS + " header fields as headers", part);
      return headers;
    }
    for (Map.Entry<String, JsonNode> each : part.node().properties()) {
      Part value = part.member(each.getKey());
      String text = each.getValue().asText();
      if (!TOKEN.matcher(each.getKey()).matches()
          || !each.getValue().isTextual()
          || text.length() > Mapping.MAX_CHARS
          || !VALUE.matcher(text).matches()) {
        problems.expected(
            "a header field with a value of at most "
                + Mapping.MAX_CHARS
                + " printable ASCII characters",
            value);
      }
      headers.put(each.getKey(), text);
    }
    return headers;
  }

  private @Nullable String expression(Fields fields, String key) {
    if (!fields.has(key)) {
      return null;
    }
    String source = fields.text(key);
    if (source.length() > Mapping.MAX_CHARS) {
      problems.add(
          fields.get(key),
          "expected at most "
              + Mapping.MAX_CHARS
              + " characters of jq as "
              + key
              + ", found "
              + source.length());
      return source;
    }
    String problem = source.isEmpty() ? null : expressions.problem(source);
    if (problem != null) {
      problems.add(fields.get(key), "expected jq as " + key + ", found: " + problem);
    }
    return source;
  }
}
