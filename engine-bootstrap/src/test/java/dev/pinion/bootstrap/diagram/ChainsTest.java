package dev.pinion.bootstrap.diagram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChainsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{a: {set: 1}}, {b: {set: 1}}] | [[0, 1, 2, 3]]",
        "[{a: {set: 1, then: b}}, {b: {set: 1, then: end}}] | [[0, 1, 2, 3]]",
        "[{a: {set: 1}}, {b: {set: 1, then: a}}] | [[0], [1, 2]]",
        "[{a: {set: 1}}, {b: {set: 1, then: b}}, {c: {set: 1}}] | [[0, 1], [2], [3, 4]]",
        "[{a: {switch: []}}, {b: {set: 1}}] | [[0, 1, 2, 3]]",
        "[{a: {switch: [{x: {when: .x, then: b}}]}}, {b: {set: 1}}] | [[0, 1], [2, 3]]",
        "[{a: {if: .x, set: 1, then: exit}}, {b: {set: 1}}] | [[0, 1], [2], [3]]"
      })
  void shouldJoinWhatOnlyLeadsOn(String tasks, String chains) {
    assertEquals(
        chains, Chains.of(SvgPictures.diagram("do: " + tasks + "\n").body()).chains().toString());
  }
}
