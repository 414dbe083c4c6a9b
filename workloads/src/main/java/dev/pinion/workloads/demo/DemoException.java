package dev.pinion.workloads.demo;

/** The demonstration cannot continue; the message is a sentence for a person. */
public final class DemoException extends Exception {
  private static final long serialVersionUID = 1L;

  DemoException(String sentence) {
    super(sentence);
  }

  DemoException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
