package dev.pinion.handlers.servlet;

import dev.pinion.handlers.api.Body;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Point;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.servlet.ServletFilterFactory.FilterSettings;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A servlet filter as handler. When it calls the rest of its chain, the message continues;
 * otherwise its output answers the message.
 */
final class FilterHandler implements Handler {
  private final Filter filter;
  private final FilterSettings filterSettings;

  private FilterHandler(Filter filter, FilterSettings filterSettings) {
    this.filter = filter;
    this.filterSettings = filterSettings;
  }

  /**
   * Makes and starts a filter.
   *
   * @throws ReflectiveOperationException when there is no such class
   * @throws ServletException when it cannot be started
   */
  static Handler of(
      String type, SortedMap<String, String> parameters, FilterSettings filterSettings)
      throws ReflectiveOperationException, ServletException {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader own = Objects.requireNonNull(FilterHandler.class.getClassLoader());
    Filter filter =
        Class.forName(type, true, context == null ? own : context)
            .asSubclass(Filter.class)
            .getConstructor()
            .newInstance();
    filter.init(new InitParameters(type, parameters));
    return new FilterHandler(filter, filterSettings);
  }

  @Override
  public Declaration declaration() {
    Slot[] fields =
        filterSettings.fields().stream()
            .map(each -> Slot.property(HeaderFields.HEADER + each))
            .toArray(Slot[]::new);
    Declaration always =
        Declaration.NOTHING
            .reading(
                Slot.bytes(),
                Slot.property(HeaderFields.HEADER + "*"),
                Slot.property("http.method"),
                Slot.property("http.path"),
                Slot.property("http.status"),
                Slot.property("client.address"),
                Slot.property("auth.subject"))
            .writing(fields)
            .stopping()
            .mandatory()
            .with(EffectClass.ATOMIC)
            .with(filterSettings.work());
    return filterSettings.body() ? always.writing(Slot.bytes()) : always;
  }

  @Override
  public Verdict handle(View message) throws IOException, ServletException {
    boolean out = message.point() == Point.RESPONSE_OUT;
    if (!out && message.point() != Point.REQUEST_IN) {
      throw new IllegalStateException(
          "expected a servlet filter at request-in or response-out, found it at "
              + message.point().name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
    FilterRequest request = new FilterRequest(message);
    FilterResponse response = new FilterResponse(message, filterSettings.maxBytes());
    RemainingChain remainingChain = new RemainingChain(message, out, response);
    filter.doFilter(request.facade(), response.facade(), remainingChain);
    if (!remainingChain.called) {
      return response.answer();
    }
    return Verdict.goOn(
        out
            ? answerChanges(message, remainingChain, response)
            : changes(remainingChain, request, response));
  }

  /** The changes of a request that continues. */
  private Changes changes(
      RemainingChain remainingChain, FilterRequest request, FilterResponse response)
      throws IOException {
    String touched = response.touched();
    if (touched != null) {
      throw new IllegalStateException(
          "expected a filter that lets a request continue not to use the answer, found it using "
              + touched
              + "; attach it at response-out");
    }
    if (!(remainingChain.request instanceof HttpServletRequest passed)) {
      throw new IllegalStateException(
          "expected a filter to pass an HttpServletRequest on, found another object");
    }
    if (!passed.getInputStream().equals(request.stream())) {
      throw new IllegalStateException(
          "expected a filter that leaves the body of the request alone, found it wrapping that");
    }
    SortedMap<String, String> after = new TreeMap<>();
    for (String name : Collections.list(passed.getHeaderNames())) {
      String value = passed.getHeader(name);
      if (value != null) {
        after.put(HeaderFields.lower(name), value);
      }
    }
    for (String name : filterSettings.fields()) { // wrappers that do not list the names they set
      String value = passed.getHeader(name);
      if (value != null) {
        after.put(name, value);
      }
    }
    return fieldChanges(request.fields(), after);
  }

  /** The changes of an answer that continues. */
  private Changes answerChanges(
      View message, RemainingChain remainingChain, FilterResponse response) {
    String status = message.property("http.status", "");
    if (!status.equals(Integer.toString(response.status()))) {
      throw new IllegalStateException(
          "expected a filter that lets an answer continue to leave its status, found it setting "
              + response.status());
    }
    Changes changes = fieldChanges(new HeaderFields(message).all(), response.fields());
    byte[] written = response.written();
    if (remainingChain.wrapped
        ? Arrays.equals(written, message.bytes())
            && response.mediaType().equals(message.body().mediaType())
        : written.length == 0) {
      return changes;
    }
    if (!remainingChain.wrapped || !filterSettings.body()) {
      throw new IllegalStateException(
          remainingChain.wrapped
              ? "expected a filter that leaves the body alone, found another one; set body: true"
              : "expected a filter that wraps the response to change its body, found it writing to"
                  + " the response and letting it continue");
    }
    return changes.body(Body.of(written, response.mediaType()));
  }

  private Changes fieldChanges(Map<String, String> before, Map<String, String> after) {
    Changes changes = Changes.NONE;
    SortedMap<String, String> names = new TreeMap<>(before);
    names.putAll(after);
    for (String name : names.keySet()) {
      String value = after.get(name);
      if (!Objects.equals(before.get(name), value)) {
        if (!filterSettings.fields().contains(name)) {
          throw new IllegalStateException(
              "expected a filter that changes the fields "
                  + filterSettings.fields()
                  + " (writes), found it changing "
                  + name);
        }
        String property = HeaderFields.HEADER + name;
        changes =
            value == null ? changes.withoutProperty(property) : changes.property(property, value);
      }
    }
    return changes;
  }

  @Override
  public void close() {
    filter.destroy();
  }

  /** The rest of the chain after the filter. */
  private static final class RemainingChain implements FilterChain {
    private final View message;
    private final boolean out;
    private final FilterResponse own;
    private boolean called;
    private boolean wrapped;
    private @Nullable ServletRequest request;

    RemainingChain(View message, boolean out, FilterResponse own) {
      this.message = message;
      this.out = out;
      this.own = own;
    }

    @Override
    public void doFilter(ServletRequest passed, ServletResponse answer) throws IOException {
      if (called) {
        throw new IllegalStateException("expected doFilter to be called once, found it again");
      }
      called = true;
      request = passed;
      wrapped = !answer.equals(own.facade());
      if (out && wrapped) {
        answer.getOutputStream().write(message.bytes());
      }
    }
  }
}
