package dev.pinion.handlers.servlet;

import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import jakarta.servlet.http.HttpServletResponse;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a message as read and written by a filter. Supports the calls in {@link #invoke}
 * and {@link #write} and refuses all others. Of one thread.
 */
final class FilterResponse implements InvocationHandler {
  private static final String CONTENT_TYPE = "content-type";
  private static final Set<String> READS =
      Set.of(
          "getStatus",
          "containsHeader",
          "getHeader",
          "getHeaders",
          "getHeaderNames",
          "getContentType",
          "getCharacterEncoding",
          "isCommitted",
          "getBufferSize");
  private static final int OK = 200;
  private static final int FOUND = 302;

  private final BodyOutputStream out;
  private final int maxBytes;
  private final SortedMap<String, String> fields = new TreeMap<>();
  private final HttpServletResponse facade;
  private int status;
  private String mediaType;
  private boolean committed;
  private @Nullable PrintWriter writer;
  private @Nullable String touched;

  FilterResponse(View message, int maxBytes) {
    boolean answers = message.point() == Point.RESPONSE_OUT;
    this.out = new BodyOutputStream(maxBytes);
    this.maxBytes = maxBytes;
    this.status = answers ? Integer.parseInt(message.property("http.status", "200")) : OK;
    this.mediaType = answers ? message.body().mediaType() : "";
    if (answers) {
      fields.putAll(new HeaderFields(message).all());
    }
    this.facade = PartialProxy.of(HttpServletResponse.class, this);
  }

  HttpServletResponse facade() {
    return facade;
  }

  /** The first call that writes, or null. */
  @Nullable String touched() {
    return touched;
  }

  int status() {
    return status;
  }

  String mediaType() {
    return mediaType;
  }

  SortedMap<String, String> fields() {
    return new TreeMap<>(fields);
  }

  byte[] written() {
    if (writer != null) {
      writer.flush();
    }
    return out.written();
  }

  /** The output, as the answer to the message. */
  Verdict answer() {
    return Verdict.Answer.of(status, fields, Body.of(written(), mediaType));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
    String name = method.getName();
    String first = arguments == null ? "" : String.valueOf(arguments[0]);
    if (READS.contains(name)) {
      return read(name, HeaderFields.lower(first));
    }
    return switch (name) {
      case "toString" -> "response " + status;
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> arguments != null && PartialProxy.is(arguments, this);
      default -> {
        touched = touched == null ? "HttpServletResponse." + name : touched;
        yield write(name, first, arguments == null ? new Object[0] : arguments);
      }
    };
  }

  private @Nullable Object read(String name, String field) {
    String value = field.equals(CONTENT_TYPE) ? contentType() : fields.get(field);
    return switch (name) {
      case "getStatus" -> status;
      case "containsHeader" -> value != null;
      case "getHeader" -> value;
      case "getHeaders" -> value == null ? List.of() : List.of(value);
      case "getHeaderNames" -> Collections.unmodifiableSet(fields.keySet());
      case "getContentType" -> contentType();
      case "getCharacterEncoding" -> charset().name();
      case "isCommitted" -> committed;
      default -> maxBytes;
    };
  }

  private @Nullable String contentType() {
    return mediaType.isEmpty() ? null : mediaType;
  }

  private @Nullable Object write(String name, String first, @Nullable Object[] arguments) {
    Object second = arguments.length > 1 ? arguments[1] : null;
    switch (name) {
      case "setStatus" -> status = Integer.parseInt(first);
      case "sendError" -> {
        reset();
        status = Integer.parseInt(first);
        if (second != null) {
          mediaType = "text/plain;charset=UTF-8";
          writer().print(second);
        }
        committed = true;
      }
      case "sendRedirect" -> {
        if (arguments.length != 1) {
          throw UnsupportedCalls.call("HttpServletResponse.sendRedirect with several arguments");
        }
        reset();
        status = FOUND;
        fields.put("location", first);
        committed = true;
      }
      case "setHeader", "setIntHeader" -> field(first, second, false);
      case "addHeader", "addIntHeader" -> field(first, second, true);
      case "setContentType" -> mediaType = arguments[0] == null ? "" : first;
      case "setCharacterEncoding" -> mediaType = ContentTypes.with(mediaType, first);
      case "getOutputStream" -> {
        return out;
      }
      case "getWriter" -> {
        return writer();
      }
      case "flushBuffer" -> committed = true;
      case "resetBuffer" -> reset();
      default -> throw UnsupportedCalls.call("HttpServletResponse." + name);
    }
    return null;
  }

  private void field(String name, @Nullable Object value, boolean beside) {
    String field = HeaderFields.lower(name);
    if (field.equals(CONTENT_TYPE)) {
      mediaType = value == null ? "" : value.toString();
    } else if (value == null) {
      fields.remove(field);
    } else if (beside && fields.containsKey(field)) {
      if (field.equals("set-cookie")) {
        throw UnsupportedCalls.call("HttpServletResponse.addHeader with a second Set-Cookie");
      }
      fields.put(field, fields.get(field) + ", " + value);
    } else {
      fields.put(field, value.toString());
    }
  }

  private void reset() {
    if (committed) {
      throw new IllegalStateException("expected an answer that was not committed, found one");
    }
    if (writer != null) {
      writer.flush();
    }
    out.reset();
  }

  private PrintWriter writer() {
    PrintWriter known = writer;
    if (known == null) {
      known = new PrintWriter(new OutputStreamWriter(out, charset()));
      writer = known;
    }
    return Objects.requireNonNull(known);
  }

  private Charset charset() {
    String name = ContentTypes.charset(mediaType);
    return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
  }
}
