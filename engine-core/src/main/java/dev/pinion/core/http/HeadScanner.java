package dev.pinion.core.http;

import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.limits.RequestLimits;
import io.netty.buffer.ByteBuf;
import io.netty.util.ByteProcessor;
import org.jspecify.annotations.Nullable;

/**
 * Checks the bytes of a request's head against the grammar of RFC 9112 and the limits, before the
 * decoder sees them.
 *
 * <p>Netty's decoder repairs some of what must be refused: it joins folded lines, takes several
 * kinds of white space as separators and answers too long a line like any other error. So it gets a
 * head only after this scanner has seen the whole of it and found it strict. Two readers that
 * disagree about a head are how requests are smuggled; a head that passes here has one reading.
 */
public final class HeadScanner implements ByteProcessor {
  private enum ScanState {
    METHOD,
    TARGET,
    VERSION,
    LINE_START,
    NAME,
    VALUE,
    AFTER_CR,
    AFTER_LAST_CR,
    END
  }

  private static final String PROTOCOL = "HTTP/";

  /** Bytes of a version: a digit, a dot and a digit follow the protocol (RFC 9112 section 2.3). */
  private static final int VERSION_LENGTH = PROTOCOL.length() + 3;

  private static final boolean[] TOKEN = new boolean[256];
  private static final boolean[] TARGET = new boolean[256];
  private static final boolean[] VALUE = new boolean[256];

  static {
    for (char c = '!'; c <= '~'; c++) {
      TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
      TARGET[c] = "\"<>\\^`{|}".indexOf(c) < 0;
    }
    for (int c = ' '; c < 256; c++) {
      VALUE[c] = c != 0x7f;
    }
    VALUE['\t'] = true;
  }

  private final int maxLine;
  private final int maxHeaderBytes;
  private final int maxHeaders;

  private ScanState scanState = ScanState.METHOD;
  private boolean inRequestLine = true;
  private int scanned;
  private int lineBytes;
  private int headerBytes;
  private int headers;
  private int part;
  private int major;
  private @Nullable Problem problem;

  public HeadScanner(RequestLimits limits) {
    this.maxLine = limits.maxUriBytes();
    this.maxHeaderBytes = limits.maxHeaderBytes();
    this.maxHeaders = limits.maxHeaders();
  }

  /** Starts over for the next request. */
  void reset() {
    scanState = ScanState.METHOD;
    inRequestLine = true;
    scanned = 0;
    lineBytes = 0;
    headerBytes = 0;
    headers = 0;
    part = 0;
  }

  /**
   * Scans the bytes that arrived since the last call. The buffer must still begin with the head.
   *
   * @return whether the head is complete
   */
  public boolean scan(ByteBuf in) throws ProblemException {
    int from = in.readerIndex() + scanned;
    int stop = in.forEachByte(from, in.writerIndex() - from, this);
    if (problem != null) {
      throw new ProblemException(problem);
    }
    scanned = (stop < 0 ? in.writerIndex() : stop + 1) - in.readerIndex();
    return scanState == ScanState.END;
  }

  @Override
  public boolean process(byte signed) {
    int b = signed & 0xff;
    if (!withinLimits()) {
      return false;
    }
    switch (scanState) {
      case METHOD -> method(b);
      case TARGET -> target(b);
      case VERSION -> version(b);
      case LINE_START -> lineStart(b);
      case NAME -> name(b);
      case VALUE -> value(b);
      case AFTER_CR -> lineFeed(b, ScanState.LINE_START);
      case AFTER_LAST_CR -> lineFeed(b, ScanState.END);
      case END -> throw new IllegalStateException("expected a reset after the end of a head");
    }
    return problem == null && scanState != ScanState.END;
  }

  private boolean withinLimits() {
    if (inRequestLine) {
      if (++lineBytes > maxLine + 2) {
        problem =
            Problem.of(
                ProblemType.URI_TOO_LONG,
                "expected a request line of at most "
                    + maxLine
                    + " bytes (request.maxUriBytes), found a longer one");
      }
    } else if (++headerBytes > maxHeaderBytes + 2) {
      problem =
          Problem.of(
              ProblemType.HEADERS_TOO_LARGE,
              "expected header fields of at most "
                  + maxHeaderBytes
                  + " bytes (request.maxHeaderBytes), found more");
    }
    return problem == null;
  }

  private void method(int b) {
    if (b == ' ' && part > 0) {
      next(ScanState.TARGET);
    } else if (TOKEN[b]) {
      part++;
    } else {
      malformed("a method", b);
    }
  }

  private void target(int b) {
    if (b == ' ' && part > 0) {
      next(ScanState.VERSION);
    } else if (TARGET[b]) {
      part++;
    } else {
      malformed("a request target with other characters percent-encoded, then one space", b);
    }
  }

  private void version(int b) {
    if (part == VERSION_LENGTH) {
      endVersion(b);
    } else if (!isInVersion(b)) {
      malformed("HTTP/1.1 or HTTP/1.0 at the end of the request line", b);
    } else {
      major = part == PROTOCOL.length() ? b : major;
      part++;
    }
  }

  private boolean isInVersion(int b) {
    return part < PROTOCOL.length()
        ? b == PROTOCOL.charAt(part)
        : part == PROTOCOL.length() + 1 ? b == '.' : b >= '0' && b <= '9';
  }

  /** A higher minor version is read as the highest that is known (RFC 9110 section 2.5). */
  private void endVersion(int b) {
    if (b != '\r') {
      malformed("CR LF after the HTTP version", b);
    } else if (major != '1') {
      problem =
          Problem.of(
              ProblemType.HTTP_VERSION,
              "expected HTTP/1.1 or HTTP/1.0, found major version " + (char) major);
    } else {
      next(ScanState.AFTER_CR);
    }
  }

  private void lineStart(int b) {
    if (b == '\r') {
      next(ScanState.AFTER_LAST_CR);
    } else if (b == ' ' || b == '\t') {
      malformed("a header field on one line", b);
    } else if (++headers > maxHeaders) {
      problem =
          Problem.of(
              ProblemType.HEADERS_TOO_LARGE,
              "expected at most " + maxHeaders + " header fields (request.maxHeaders), found more");
    } else {
      next(ScanState.NAME);
      name(b);
    }
  }

  private void name(int b) {
    if (b == ':' && part > 0) {
      next(ScanState.VALUE);
    } else if (TOKEN[b]) {
      part++;
    } else {
      malformed("a field name followed by a colon", b);
    }
  }

  private void value(int b) {
    if (b == '\r') {
      next(ScanState.AFTER_CR);
    } else if (!VALUE[b]) {
      malformed("a field value ended by CR LF", b);
    }
  }

  private void lineFeed(int b, ScanState then) {
    if (b == '\n') {
      inRequestLine = false;
      next(then);
    } else {
      malformed("LF after CR", b);
    }
  }

  private void next(ScanState state) {
    scanState = state;
    part = 0;
  }

  private void malformed(String expected, int found) {
    problem =
        Problem.of(
            ProblemType.MALFORMED_HTTP,
            "expected " + expected + ", found byte 0x" + Integer.toHexString(found));
  }
}
