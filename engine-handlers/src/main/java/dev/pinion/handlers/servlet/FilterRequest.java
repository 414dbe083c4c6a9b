package dev.pinion.handlers.servlet;

import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.View;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message as the request of a filter. Supports the calls in {@link #invoke} and refuses all
 * others. Of one thread.
 */
final class FilterRequest implements InvocationHandler {
  private final View message;
  private final SortedMap<String, String> fields;
  private final Map<String, Object> attributes = new TreeMap<>();
  private final ServletInputStream stream;
  private final HttpServletRequest facade;

  FilterRequest(View message) {
    this.message = message;
    boolean in = message.point() == Point.REQUEST_IN;
    this.fields = in ? new HeaderFields(message).all() : Collections.emptySortedMap();
    this.stream = new BodyInputStream(in ? message.bytes() : new byte[0]);
    this.facade = PartialProxy.of(HttpServletRequest.class, this);
  }

  HttpServletRequest facade() {
    return facade;
  }

  ServletInputStream stream() {
    return stream;
  }

  /** Header fields by name in lower case, the content type included. */
  SortedMap<String, String> fields() {
    SortedMap<String, String> all = new TreeMap<>(fields);
    String type = contentType();
    if (type != null) {
      all.put("content-type", type);
    }
    return all;
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
    String first = arguments == null ? "" : String.valueOf(arguments[0]);
    return switch (method.getName()) {
      case "getMethod" -> message.property("http.method", "");
      case "getRequestURI", "getServletPath" -> path();
      case "getQueryString" -> query();
      case "getContextPath" -> "";
      case "getPathInfo" -> null;
      case "getProtocol" -> "HTTP/1.1";
      case "getRemoteAddr", "getRemoteHost" -> message.property("client.address", "");
      case "getRemoteUser" -> message.property("auth.subject");
      case "getDispatcherType" -> DispatcherType.REQUEST;
      case "isAsyncSupported", "isAsyncStarted" -> false;
      case "getAttribute" -> attributes.get(first);
      case "getAttributeNames" -> Collections.enumeration(attributes.keySet());
      case "setAttribute" -> setAttribute(first, Objects.requireNonNull(arguments)[1]);
      case "removeAttribute" -> setAttribute(first, null);
      case "getParameter" ->
          parameters().getOrDefault(first, List.of()).stream().findFirst().orElse(null);
      case "getParameterValues" -> values(first);
      case "getParameterNames" -> Collections.enumeration(parameters().keySet());
      case "toString" -> "request " + message.id();
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> arguments != null && PartialProxy.is(arguments, this);
      default -> ofRequest(method, first);
    };
  }

  /** Values of requests, which the request of an answer does not have. */
  private @Nullable Object ofRequest(Method method, String first) {
    String name = method.getName();
    if (message.point() != Point.REQUEST_IN) {
      throw UnsupportedCalls.call("HttpServletRequest." + name + " at response-out");
    }
    return switch (name) {
      case "getHeader" -> fields().get(HeaderFields.lower(first));
      case "getHeaders" -> header(first);
      case "getHeaderNames" -> Collections.enumeration(fields().keySet());
      case "getIntHeader" -> {
        String value = fields().get(HeaderFields.lower(first));
        yield value == null ? -1 : Integer.parseInt(value);
      }
      case "getContentType" -> contentType();
      case "getCharacterEncoding" -> encoding();
      case "getContentLength" -> message.bytes().length;
      case "getContentLengthLong" -> (long) message.bytes().length;
      case "getInputStream" -> stream;
      case "getReader" -> new BufferedReader(new InputStreamReader(stream, charset()));
      default -> throw UnsupportedCalls.call("HttpServletRequest." + name);
    };
  }

  private String path() {
    String target = message.property("http.path", "");
    int mark = target.indexOf('?');
    return mark < 0 ? target : target.substring(0, mark);
  }

  private @Nullable String query() {
    String target = message.property("http.path", "");
    int mark = target.indexOf('?');
    return mark < 0 ? null : target.substring(mark + 1);
  }

  private Enumeration<String> header(String name) {
    String value = fields().get(HeaderFields.lower(name));
    Collection<String> values = value == null ? List.of() : List.of(value);
    return Collections.enumeration(values);
  }

  private @Nullable Object setAttribute(String name, @Nullable Object value) {
    if (value == null) {
      attributes.remove(name);
    } else {
      attributes.put(name, value);
    }
    return null;
  }

  /** Parameters of the query; the body is not read for them. */
  private Map<String, List<String>> parameters() {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    String query = query();
    for (String pair : query == null || query.isEmpty() ? new String[0] : query.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      parameters
          .computeIfAbsent(decoded(parts[0]), _ -> new ArrayList<>())
          .add(parts.length == 1 ? "" : decoded(parts[1]));
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private String @Nullable [] values(String name) {
    List<String> values = parameters().get(name);
    return values == null ? null : values.toArray(String[]::new);
  }

  private @Nullable String contentType() {
    String type = message.body().mediaType();
    return type.isEmpty() || message.point() != Point.REQUEST_IN ? null : type;
  }

  private @Nullable String encoding() {
    return ContentTypes.charset(message.body().mediaType());
  }

  private Charset charset() {
    String encoding = encoding();
    return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
  }
}
