package dev.pinion.core.xml;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The charset of a document. A byte-order mark decides, then who transmits it (RFC 7303, section
 * 3), then the declaration of the document, else it is UTF-8 (XML 1.0, appendix F).
 *
 * @param charset the charset
 * @param markBytes length of the byte-order mark, which is no part of the text
 */
public record XmlCharset(Charset charset, int markBytes) {
  /** Bytes within which a declaration names its encoding. */
  private static final int DECLARATION_BYTES = 256;

  private static final Pattern ENCODING =
      Pattern.compile("^<\\?xml\\s[^>]*?\\sencoding\\s*=\\s*(?:\"([^\"]*)\"|'([^']*)')");

  /**
   * The charset of some bytes.
   *
   * @param declared charset by who transmits them, or null
   * @throws XmlException when the document names an unknown one
   */
  public static XmlCharset of(ByteBuffer document, @Nullable Charset declared) throws XmlException {
    XmlCharset marked = marked(document);
    if (marked != null) {
      return marked;
    }
    if (declared != null) {
      return new XmlCharset(declared, 0);
    }
    Charset family = family(document);
    return new XmlCharset(family == null ? named(document) : family, 0);
  }

  /** The text, in which bytes of no character are replaced. */
  public String text(ByteBuffer document) {
    return charset.decode(content(document)).toString();
  }

  /**
   * The text.
   *
   * @throws XmlException when bytes are of no character
   */
  CharBuffer characters(ByteBuffer document) throws XmlException {
    CharsetDecoder decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer bytes = content(document);
    CharBuffer text =
        CharBuffer.allocate((int) Math.ceil(bytes.remaining() * decoder.maxCharsPerByte()));
    CoderResult result = decoder.decode(bytes, text, true);
    if (!result.isError()) {
      result = decoder.flush(text);
    }
    text.flip();
    if (result.isError()) {
      throw new XmlException(
          "expected XML in " + charset + where(text) + ", found bytes of no character");
    }
    return text;
  }

  private ByteBuffer content(ByteBuffer document) {
    return document.slice(document.position() + markBytes, document.remaining() - markBytes);
  }

  private static String where(CharBuffer before) {
    int line = 1;
    int begin = 0;
    for (int i = 0; i < before.length(); i++) {
      if (before.charAt(i) == '\n') {
        line++;
        begin = i + 1;
      }
    }
    return " at line " + line + ", column " + (before.length() - begin + 1);
  }

  private static @Nullable XmlCharset marked(ByteBuffer document) {
    int head = head(document);
    if (head == 0x0000feff) {
      return new XmlCharset(StandardCharsets.UTF_32BE, 4);
    }
    if (head == 0xfffe0000) {
      return new XmlCharset(StandardCharsets.UTF_32LE, 4);
    }
    if (head >>> 8 == 0xefbbbf) {
      return new XmlCharset(StandardCharsets.UTF_8, 3);
    }
    return switch (head >>> 16) {
      case 0xfeff -> new XmlCharset(StandardCharsets.UTF_16BE, 2);
      case 0xfffe -> new XmlCharset(StandardCharsets.UTF_16LE, 2);
      default -> null;
    };
  }

  /** The charset whose form of {@code <?} or {@code <} takes several bytes, or null. */
  private static @Nullable Charset family(ByteBuffer document) {
    int head = head(document);
    if (head == '<') {
      return StandardCharsets.UTF_32BE;
    }
    if (head == '<' << 24) {
      return StandardCharsets.UTF_32LE;
    }
    return switch (head >>> 16) {
      case '<' -> StandardCharsets.UTF_16BE;
      case '<' << 8 -> StandardCharsets.UTF_16LE;
      default -> null;
    };
  }

  /** The first four bytes; those that are missing count as 1, which begins no document. */
  private static int head(ByteBuffer document) {
    int head = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      int next = i < document.remaining() ? document.get(document.position() + i) & 0xff : 1;
      head = head << 8 | next;
    }
    return head;
  }

  /** The charset that the declaration of a document in a superset of ASCII names, else UTF-8. */
  private static Charset named(ByteBuffer document) throws XmlException {
    int most = Math.min(document.remaining(), DECLARATION_BYTES);
    Matcher encoding =
        ENCODING.matcher(
            StandardCharsets.ISO_8859_1.decode(document.slice(document.position(), most)));
    if (!encoding.find()) {
      return StandardCharsets.UTF_8;
    }
    String name = encoding.group(1) == null ? encoding.group(2) : encoding.group(1);
    try {
      if (Charset.isSupported(name) && isSuperset(Charset.forName(name))) {
        return Charset.forName(name);
      }
    } catch (IllegalCharsetNameException e) {
      // refused below
    }
    throw new XmlException(
        "expected the encoding of the document in its declaration, found \""
            + XmlSyntax.shown(name)
            + "\" at line 1");
  }

  /** Whether the declaration, which was read as ASCII, is one in a charset. */
  private static boolean isSuperset(Charset charset) {
    return charset.decode(ByteBuffer.wrap(new byte[] {'<', '?', 'x'})).toString().equals("<?x");
  }
}
