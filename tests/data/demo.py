"""What ./bootstrap demo records: four threads of ordinary work."""
import hashlib
import json
import re
import threading
import time
import zlib

text = " ".join(str(i * i) for i in range(40000))
end = time.monotonic() + 4


def compress():
    while time.monotonic() < end:
        zlib.compress(text.encode(), 9)


def digest():
    while time.monotonic() < end:
        hashlib.sha256(text.encode() * 8).hexdigest()


def parse():
    document = json.dumps({str(i): list(range(20)) for i in range(500)})
    while time.monotonic() < end:
        json.loads(document)


def search():
    pattern = re.compile(r"(\d+)1(\d*)7 ")
    while time.monotonic() < end:
        sorted(pattern.findall(text[:60000]))


threads = [threading.Thread(target=work) for work in (compress, digest, parse, search)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
