package dev.pinion.core.openapi;

import java.util.Arrays;
import java.util.Optional;

/** The part of a request that has a parameter. */
public enum ParameterPlace {
  PATH("path"),
  QUERY("query"),
  HEADER("header"),
  COOKIE("cookie");

  private final String word;

  ParameterPlace(String word) {
    this.word = word;
  }

  /** Its word in documents, and in definitions where a name stands in several places. */
  public String word() {
    return word;
  }

  /** The place of a word. */
  static Optional<ParameterPlace> of(String word) {
    return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
  }
}
