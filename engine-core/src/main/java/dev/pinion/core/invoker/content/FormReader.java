package dev.pinion.core.invoker.content;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.codec.PayloadTooLargeException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.cost.HeapCost;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;

/**
 * Reader of URL-encoded forms (WHATWG URL, section 5.1): each name becomes a member with a text; a
 * repeated one has an array of texts. Nothing is malformed: a percent sign without two digits
 * stays.
 */
final class FormReader {
  private final byte[] form;
  private final Charset charset;
  private final int maxHeap;
  private final ObjectNode members = JsonNodeFactory.instance.objectNode();
  private long heap = HeapCost.objectOfFew();

  /**
   * A reader of one form.
   *
   * @param charset charset of the bytes that the form escapes
   * @param maxHeap bound of the approximate heap bytes of a value
   */
  FormReader(byte[] form, Charset charset, int maxHeap) {
    this.form = form;
    this.charset = charset;
    this.maxHeap = maxHeap;
  }

  /** The object with the members of the form. */
  Payload read() throws PayloadTooLargeException {
    int begin = 0;
    while (begin < form.length) {
      int end = indexOf('&', begin, form.length);
      if (end > begin) {
        int equals = indexOf('=', begin, end);
        add(text(begin, equals), equals == end ? "" : text(equals + 1, end));
      }
      begin = end + 1;
    }
    return Payload.of(members);
  }

  private void add(String name, String value) throws PayloadTooLargeException {
    JsonNode before = members.get(name);
    charge(HeapCost.text(value.length()));
    TextNode text = TextNode.valueOf(value);
    if (before instanceof ArrayNode array) {
      charge(HeapCost.item());
      array.add(text);
    } else if (before != null) {
      charge(HeapCost.array(2));
      members.set(name, JsonNodeFactory.instance.arrayNode().add(before).add(text));
    } else {
      charge(HeapCost.member(name.length()));
      members.set(name, text);
    }
  }

  private void charge(long more) throws PayloadTooLargeException {
    heap += more;
    if (heap > maxHeap) {
      throw new PayloadTooLargeException(maxHeap);
    }
  }

  /** Index of a character, or the end. */
  private int indexOf(char wanted, int begin, int end) {
    int i = begin;
    while (i < end && form[i] != wanted) {
      i++;
    }
    return i;
  }

  private String text(int begin, int end) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(end - begin);
    for (int i = begin; i < end; i++) {
      int escaped = form[i] == '%' && i + 2 < end ? escaped(i) : -1;
      if (escaped >= 0) {
        bytes.write(escaped);
        i += 2;
      } else {
        bytes.write(form[i] == '+' ? ' ' : form[i]);
      }
    }
    return bytes.toString(charset);
  }

  private int escaped(int percent) {
    int high = Character.digit((char) (form[percent + 1] & 0xff), 16);
    int low = Character.digit((char) (form[percent + 2] & 0xff), 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }
}
