package dev.pinion.core.model;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Estimates the parts of a regular expression with its counted repetitions written out, which
 * determine the memory of a compiled automaton: {@code (ab{3}){4}} has about 16.
 */
public final class RegexSize {
  private final String regex;
  private final Deque<Long> groups = new ArrayDeque<>();
  private long sum;
  private long last;
  private int at;

  private RegexSize(String regex) {
    this.regex = regex;
  }

  /** The estimate, never below the true count and capped at {@link Integer#MAX_VALUE}. */
  public static long of(String regex) {
    RegexSize size = new RegexSize(regex);
    while (size.at < regex.length()) {
      size.next();
    }
    while (!size.groups.isEmpty()) {
      size.closeGroup();
    }
    return size.sum;
  }

  private void next() {
    char c = regex.charAt(at++);
    switch (c) {
      case '(' -> {
        groups.push(sum);
        sum = 0;
        last = 0;
      }
      case ')' -> closeGroup();
      case '{' -> repeat();
      case '[' -> {
        skipClass();
        part();
      }
      case '\\' -> {
        at++;
        part();
      }
      default -> part();
    }
  }

  private void part() {
    last = 1;
    grow(1);
  }

  private void closeGroup() {
    if (!groups.isEmpty()) {
      last = sum + 1;
      sum = groups.pop();
      grow(last);
    }
  }

  private void repeat() {
    int end = regex.indexOf('}', at);
    String counts = end < 0 ? "" : regex.substring(at, end);
    if (!counts.matches("[0-9]{1,9}(,([0-9]{1,9})?)?")) {
      part();
      return;
    }
    at = end + 1;
    int comma = counts.indexOf(',');
    boolean open = comma == counts.length() - 1;
    String greatest = comma < 0 || open ? counts.replace(",", "") : counts.substring(comma + 1);
    long most = Long.parseLong(greatest) + 1;
    grow(last * most);
    last *= most + 1;
  }

  private void grow(long parts) {
    sum = Math.min(Integer.MAX_VALUE, sum + Math.min(Integer.MAX_VALUE, parts));
    last = Math.min(Integer.MAX_VALUE, last);
  }

  private void skipClass() {
    int first = at;
    while (at < regex.length() && (regex.charAt(at) != ']' || at == first)) {
      at += regex.charAt(at) == '\\' ? 2 : 1;
    }
    at++;
  }
}
