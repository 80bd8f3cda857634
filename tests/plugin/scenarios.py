# SPDX-FileCopyrightText: 2026 The lttng-ust-codectl authors
# SPDX-License-Identifier: MIT
#
# The scenarios by name. Each is a class: made for a source component and its
# parameters, messages(iterator) yields what the component sends.
import callstacks
import everything
import fields
import generated
import samples
import ust

SCENARIOS = {
    'callstacks': callstacks.Callstacks,
    'everything': everything.Everything,
    'fields': fields.Fields,
    'generated': generated.Generated,
    'generated-malformed': generated.Malformed,
    'generated-random': generated.Random,
    'image': samples.Image,
    'image-late': samples.ImageLate,
    'image-malformed': samples.ImageMalformed,
    'image-of-two': samples.ImageOfTwo,
    'late': samples.Late,
    'lost': samples.Lost,
    'malformed': samples.Malformed,
    'many': samples.Many,
    'maps': samples.Maps,
    'mistyped': samples.Mistyped,
    'named-then-unnamed': samples.NamedThenUnnamed,
    'random': samples.Random,
    'stack': samples.Stack,
    'ust': ust.Ust,
    'ust-file': ust.UstFile,
}
