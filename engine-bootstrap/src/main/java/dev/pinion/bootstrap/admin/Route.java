package dev.pinion.bootstrap.admin;

import java.io.IOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A method at a path.
 *
 * @param method HTTP method
 * @param template path for people, such as {@code /replicas/{index}/restart}
 * @param path matches the whole path; a number stands for each parameter
 * @param action answers
 */
record Route(String method, String template, Pattern path, Action action) {
  /** Asks for what GET answers, without the body (RFC 9110 section 9.3.2). */
  static final String HEAD = "HEAD";

  /** Answers requests. */
  @FunctionalInterface
  interface Action {
    /**
     * Answers one request.
     *
     * @param path the numbers of the path as groups
     * @param query the query of the address, decoded; empty when there is none
     * @throws IOException when what is asked for cannot be had now
     */
    Answer answer(Matcher path, String query) throws IOException;
  }

  static Route of(String method, String template, Action action) {
    return new Route(
        method, template, Pattern.compile(template.replaceAll("\\{\\w+}", "(\\\\d{1,6})")), action);
  }

  /** The methods that it answers. */
  Set<String> methods() {
    return method.equals("GET") ? Set.of(method, HEAD) : Set.of(method);
  }

  /** Whether it answers a method. */
  boolean answers(String asked) {
    return methods().contains(asked);
  }

  @Override
  public String toString() {
    return method + " " + template;
  }
}
