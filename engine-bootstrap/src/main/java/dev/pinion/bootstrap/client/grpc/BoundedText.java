package dev.pinion.bootstrap.client.grpc;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Text that grows up to a bound. */
final class BoundedText implements Appendable {
  private final StringBuilder text = new StringBuilder();
  private final int most;

  /** The error of a text beyond the bound. */
  static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;
  }

  /**
   * An empty text.
   *
   * @param most characters that it may have
   */
  BoundedText(int most) {
    this.most = most;
  }

  @Override
  public BoundedText append(@Nullable CharSequence part) throws IOException {
    String added = String.valueOf(part);
    require(added.length());
    text.append(added);
    return this;
  }

  @Override
  public BoundedText append(@Nullable CharSequence part, int start, int end) throws IOException {
    return append(String.valueOf(part).substring(start, end));
  }

  @Override
  public BoundedText append(char part) throws IOException {
    require(1);
    text.append(part);
    return this;
  }

  private void require(int more) throws IOException {
    if (text.length() + (long) more > most) {
      throw new TooLongException();
    }
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
