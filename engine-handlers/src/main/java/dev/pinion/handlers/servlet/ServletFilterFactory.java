package dev.pinion.handlers.servlet;

import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Work;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;

/**
 * Makes handlers from servlet filters. It does not refer to their interface, which need not be on
 * the class path where no filter is used.
 */
public final class ServletFilterFactory implements HandlerFactory {
  private static final String FIELD = "[a-z0-9-]{1,64}";
  private static final int MAX_BODY = 16 << 20;

  /** For the service loader. */
  public ServletFilterFactory() {}

  @Override
  public String name() {
    return "servlet-filter";
  }

  @Override
  public String summary() {
    return "Hosts a filter of Jakarta Servlet, found by the name of its class.";
  }

  @Override
  public Handler create(Settings settings) {
    String type = settings.text("class");
    SortedMap<String, String> parameters = settings.textsByName("parameters");
    List<String> writes = settings.texts("writes");
    List<String> fields = writes.stream().map(each -> each.toLowerCase(Locale.ROOT)).toList();
    if (!fields.stream().allMatch(each -> each.matches(FIELD))) {
      settings.problem("writes", "expected names of fields, found " + writes);
      fields = List.of();
    }
    boolean body = settings.flag("body", false);
    int maxBytes = settings.integer("maxBodyBytes", 1 << 20, 0, MAX_BODY);
    Work work = settings.choice("work", Work.CPU);
    try {
      return FilterHandler.of(type, parameters, new FilterSettings(fields, body, maxBytes, work));
    } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
      settings.problem(
          "class",
          "expected the name of a public class with a constructor without parameters that is a"
              + " jakarta.servlet.Filter, on the class path with jakarta.servlet-api, found \""
              + type
              + "\": "
              + e);
    } catch (Exception e) { // an exception of its init
      settings.problem("class", "expected a filter that can be started, found " + e);
    }
    throw new IllegalArgumentException("unusable filter " + type);
  }

  /**
   * Rights of a filter.
   *
   * @param fields header fields, in lower case, that it may set or remove in messages that continue
   * @param body whether it may replace the body of an answer that continues
   * @param maxBytes most bytes of a body that it writes
   * @param work kind of its work
   */
  record FilterSettings(List<String> fields, boolean body, int maxBytes, Work work) {}
}
