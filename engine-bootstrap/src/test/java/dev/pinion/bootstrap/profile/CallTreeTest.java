package dev.pinion.bootstrap.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class CallTreeTest {
  @Test
  void shouldHaveEachStackOnce() {
    CallTree tree = new CallTree();

    int first = tree.node(List.of("a", "b", "c"));
    int sibling = tree.node(List.of("a", "b", "d"));

    assertEquals(first, tree.node(List.of("a", "b", "c")));
    assertNotEquals(first, sibling);
    assertEquals(List.of("a", "b", "d"), tree.stack(sibling));
    assertEquals(List.of(), tree.stack(tree.node(List.of())));
    assertEquals(5, tree.size());
  }

  @Test
  void shouldCutStacksOnceItIsFull() {
    CallTree tree = new CallTree(4);

    int whole = tree.node(List.of("a", "b", "c"));
    int cut = tree.node(List.of("a", "b", "d", "e"));

    assertEquals(List.of("a", "b", "c"), tree.stack(whole));
    assertEquals(List.of("a", "b"), tree.stack(cut));
    assertEquals(1, tree.cut());
    assertEquals(whole, tree.node(List.of("a", "b", "c")));
    assertEquals(1, tree.cut());
  }
}
